"""From a request to what serves it: its params are decoded here, in one place."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import msgspec

from protocol.jsonrpc import Request
from protocol.methods import NoParams, Params, decode_params

_P = TypeVar("_P", bound=Params)
_R = TypeVar("_R")

Look: TypeAlias = Callable[[Request], msgspec.Struct]
"""Returns the result at once; raises RpcError when the params have the wrong shape."""

Handler: TypeAlias = Callable[[Request], Awaitable[msgspec.Struct]]
"""The same for what may have to wait."""


def taking(kind: type[_P], serve: Callable[[_P], _R]) -> Callable[[Request], _R]:
    """Return what has `serve` answer requests with params of that `kind`."""
    return lambda request: serve(decode_params(kind, request))


def taking_nothing(serve: Callable[[], _R]) -> Callable[[Request], _R]:
    """Return what has `serve` answer requests that come with no params."""

    def handle(request: Request) -> _R:
        decode_params(NoParams, request)
        return serve()

    return handle
