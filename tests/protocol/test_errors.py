"""Errors on the wire: a code, a kind, the runtime state, a message."""

from typing import get_args

import msgspec

from protocol.errors import CODES, ErrorKind, RpcError


def test_every_kind_has_its_own_code() -> None:
    assert set(CODES) == set(get_args(ErrorKind))
    assert len(set(CODES.values())) == len(CODES)


def test_an_error_tells_its_kind_and_the_runtime_state() -> None:
    error = RpcError("wrong_state", "complete the session first", runtime="active")

    assert msgspec.to_builtins(error.to_object()) == {
        "code": -32002,
        "message": "complete the session first",
        "data": {"kind": "wrong_state", "runtime": "active"},
    }
    assert str(error) == "complete the session first"


def test_an_error_can_learn_the_runtime_state_later() -> None:
    error = RpcError("parse_error", "not JSON").to_object()

    assert msgspec.to_builtins(error)["data"] == {"kind": "parse_error"}
    assert error.in_runtime("idle") == RpcError("parse_error", "not JSON", "idle").to_object()
