"""From a request to what serves it: its params are decoded here, in one place."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import msgspec

from protocol.jsonrpc import Request
from protocol.methods import NoParams, Params, decode_params

_P = TypeVar("_P", bound=Params)

Handler: TypeAlias = Callable[[Request], Awaitable[msgspec.Struct]]
"""Returns the result of a request; raises RpcError when the params have the wrong shape."""


def taking(kind: type[_P], serve: Callable[[_P], Awaitable[msgspec.Struct]]) -> Handler:
    """Return the handler that has `serve` answer what comes with params of that `kind`."""
    return lambda request: serve(decode_params(kind, request))


def taking_nothing(serve: Callable[[], Awaitable[msgspec.Struct]]) -> Handler:
    """Return the handler that has `serve` answer what may come with no params."""

    def handle(request: Request) -> Awaitable[msgspec.Struct]:
        decode_params(NoParams, request)
        return serve()

    return handle
