"""JSON-RPC 2.0 envelopes: bytes of one line to requests, and answers to bytes of one line.

Source: the JSON-RPC 2.0 specification (jsonrpc.org/specification). Of a member that is given
twice the last one counts; JSON leaves that open (RFC 8259, section 4).
"""

from typing import Final, Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

from protocol.errors import ErrorObject, RpcError

NULL_ID: Final = Raw(b"null")
"""The id of an answer to something whose own id could not be told."""

MESSAGE_LIMIT: Final = 200
"""The most characters of a decoder's complaint that are passed on; it quotes what was sent."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A valid request object; without an id it is a notification, which is never answered.

    `id` holds the JSON as it was sent, so that `1.0`, `1` and `"1"` come back as they came.
    """

    jsonrpc: Literal["2.0"]
    method: str
    params: Raw | UnsetType = UNSET
    id: Raw | UnsetType = UNSET

    @property
    def is_notification(self) -> bool:
        """Whether no answer may be sent, not even an error."""
        return self.id is UNSET


class Invalid(msgspec.Struct, frozen=True):
    """Something that is no request; it is answered with `error` under the id null."""

    error: ErrorObject


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """What a client receives: a response, or with `method` a notification."""

    id: int | float | str | None = None
    result: Raw | UnsetType = UNSET
    error: ErrorObject | UnsetType = UNSET
    method: str = ""
    params: Raw | UnsetType = UNSET


class BadMessage(Exception):
    """What came from the server is no JSON-RPC message."""


_ENCODER: Final = msgspec.json.Encoder()
_ANY: Final = msgspec.json.Decoder(Raw)
_MESSAGE: Final = msgspec.json.Decoder(Request | list[Raw])
_REQUEST: Final = msgspec.json.Decoder(Request)
_INCOMING: Final = msgspec.json.Decoder(Incoming)


def decode(line: bytes) -> Request | Invalid | list[Request | Invalid]:
    """Return the request in `line`, why it is none, or the elements of a batch; never raises."""
    try:
        line.decode()  # msgspec does not look at the text that it skips
        whole = _MESSAGE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _neither(line, str(error))
    if isinstance(whole, Request):
        return _checked(whole)
    return [_element(raw) for raw in whole] or _invalid("an empty batch")


def encode_result(request_id: Raw, result: object) -> bytes:
    """Return the line that answers `request_id` with `result`; text of any kind can be sent."""
    return _response(b'{"jsonrpc":"2.0","result":', result, request_id)


def encode_error(request_id: Raw, error: ErrorObject) -> bytes:
    """Return the line that answers `request_id` with `error`."""
    return _response(b'{"jsonrpc":"2.0","error":', error, request_id)


def encode_batch(answers: list[bytes]) -> bytes:
    """Return the line that holds the `answers` (each a line) to a batch.

    Returns nothing at all when there are none, as for a batch of notifications.
    """
    if not answers:
        return b""
    return b"[" + b",".join(answer.removesuffix(b"\n") for answer in answers) + b"]\n"


def encode_notification(method: str, params: object) -> bytes:
    """Return the line that notifies of `method` with `params`."""
    return b'{"jsonrpc":"2.0","method":%b,"params":%b}\n' % (_encode(method), _encode(params))


def encode_request(request_id: int, method: str, params: object) -> bytes:
    """Return the line that asks for `method` with `params`."""
    return b'{"jsonrpc":"2.0","method":%b,"params":%b,"id":%d}\n' % (
        _encode(method),
        _encode(params),
        request_id,
    )


def decode_incoming(line: bytes) -> Incoming:
    """Return the response or notification in `line`; unknown members are ignored.

    Raises:
        BadMessage: it is neither.
    """
    try:
        incoming = _INCOMING.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadMessage(str(error)[:MESSAGE_LIMIT]) from error
    if not incoming.method and incoming.result is UNSET and incoming.error is UNSET:
        raise BadMessage("neither a result, an error nor a notification")
    return incoming


def _neither(line: bytes, why: str) -> Invalid:
    """Return why `line` is neither a request nor a batch: broken JSON, or another shape."""
    try:
        line.decode()
        # A decoder of shapes stops at the first wrong one; what follows may be no JSON at all.
        _ANY.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _parse_error(str(error))
    except RecursionError:
        return _parse_error("nested too deeply")
    return _invalid(why)


def _element(raw: Raw) -> Request | Invalid:
    try:
        return _checked(_REQUEST.decode(raw))
    except (msgspec.DecodeError, RecursionError) as error:
        return _invalid(str(error))


def _checked(request: Request) -> Request | Invalid:
    """Return the request, or why it is none; the first byte of JSON tells its type."""
    if not isinstance(request.id, UnsetType) and bytes(request.id)[0] not in b'"-0123456789n':
        return _invalid("an id is a string, a number or null")
    if not isinstance(request.params, UnsetType) and bytes(request.params)[0] not in b"{[":
        return _invalid("params are an object or an array")
    return request


def _response(beginning: bytes, value: object, request_id: Raw) -> bytes:
    return b"".join((beginning, _encode(value), b',"id":', request_id, b"}\n"))


def _parse_error(why: str) -> Invalid:
    message = f"not JSON: {why[:MESSAGE_LIMIT]}"
    return Invalid(RpcError("parse_error", message).to_object())


def _invalid(why: str) -> Invalid:
    message = f"not a JSON-RPC 2.0 request: {why[:MESSAGE_LIMIT]}"
    return Invalid(RpcError("invalid_request", message).to_object())


def _encode(value: object) -> bytes:
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:  # a lone surrogate, which UTF-8 has no bytes for
        return _ENCODER.encode(_without_surrogates(msgspec.to_builtins(value)))


def _without_surrogates(value: object) -> object:
    """Return plain data with U+FFFD for each lone surrogate in its texts."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list() | tuple():
            return [_without_surrogates(item) for item in value]
        case dict():
            return {
                _without_surrogates(key): _without_surrogates(item) for key, item in value.items()
            }
        case _:
            return value
