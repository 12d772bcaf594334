"""Asks for a window's property; with python-xlib's own request a look takes half as long again.

From the "X Window System Protocol", version 11, appendix B, GetProperty.
"""

import struct
from typing import Any, Final

from Xlib import X
from Xlib.protocol import display, rq

from antidriftd.adapters.windows.ewmh import Property

# More than any text that is kept needs; also the most that one read can cost.
_MAX_PROPERTY_BYTES: Final = 4096

_OPCODE: Final = 20
_REQUEST: Final = struct.Struct("=BxHIIIII")
_REPLY: Final = struct.Struct("=xBHxxxxIxxxxI")  # format, number, type, how many items
_VALUE_AT: Final = 32


class _Request:
    @staticmethod
    def to_binary(window: int, atom: int) -> bytes:
        units, long_length = _REQUEST.size // 4, _MAX_PROPERTY_BYTES // 4
        return _REQUEST.pack(_OPCODE, units, window, atom, X.AnyPropertyType, 0, long_length)


class _Reply:
    @staticmethod
    def parse_binary(data: Any, _: object, *, rawdict: bool) -> tuple[dict[str, object], bytes]:
        del rawdict
        bits, number, kind, count = _REPLY.unpack_from(data)
        value = bytes(data[_VALUE_AT : _VALUE_AT + count * bits // 8])
        return {"sequence_number": number, "bits": bits, "kind": kind, "value": value}, b""


class PropertyRequest(rq.ReplyRequest):
    """A property that was asked for, in a single request; sent with whatever waits for a reply.

    One request: a text that changes between two would come out mixed (rvaiya/keyd#112).
    """

    # They stand in for structures of the library, of which it asks no more than this.
    _request = _Request()
    _reply = _Reply()

    def __init__(self, connection: display.Display, window: int, atom: int) -> None:
        super().__init__(connection, True, window, atom)

    def wait(self, type_names: dict[int, str]) -> Property | None:
        """Return the property once it has come; None when there is none.

        Raises:
            Xlib.error.XError: the window is gone.
        """
        self.reply()
        got: Any = self  # what the library finds in a reply is a member of the request
        if not got.bits:
            return None
        return Property(type_names.get(got.kind, ""), got.bits, got.value)
