"""What can go wrong with a request: kinds, their codes, and the error object on the wire."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

ErrorKind = Literal[
    "parse_error",
    "invalid_request",
    "method_not_found",
    "invalid_params",
    "internal_error",
    "not_active",
    "wrong_state",
    "invalid_value",
    "unavailable",
    "too_busy",
    "custody",
]

CODES: Final[Mapping[ErrorKind, int]] = MappingProxyType(
    {
        # JSON-RPC 2.0, section 5.1
        "parse_error": -32700,
        "invalid_request": -32600,
        "method_not_found": -32601,
        "invalid_params": -32602,
        "internal_error": -32603,
        # ours, in the range that the specification leaves to servers
        "not_active": -32001,
        "wrong_state": -32002,
        "invalid_value": -32003,
        "unavailable": -32004,
        "too_busy": -32005,
        "custody": -32006,
    }
)


class ErrorData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The kind as a word, and the runtime state that the request met (None: not known)."""

    kind: str = ""
    runtime: str | None = None


class ErrorObject(msgspec.Struct, frozen=True):
    """The `error` member of a response; a reader takes one without `data` too."""

    code: int
    message: str
    data: ErrorData = ErrorData()

    def in_runtime(self, runtime: str) -> "ErrorObject":
        """Return the same error, telling also which `runtime` state it met."""
        return ErrorObject(self.code, self.message, ErrorData(self.data.kind, runtime))


class RpcError(Exception):
    """A request that can't be served; `message` is one line that a person can act on."""

    def __init__(self, kind: ErrorKind, message: str, runtime: str | None = None) -> None:
        super().__init__(message)
        self.kind: Final = kind
        self.message: Final = message
        self.runtime: Final = runtime

    def to_object(self) -> ErrorObject:
        """Return the error as it crosses the wire."""
        return ErrorObject(CODES[self.kind], self.message, ErrorData(self.kind, self.runtime))
