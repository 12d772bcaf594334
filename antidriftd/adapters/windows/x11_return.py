"""Has the X server tell when somebody is back: an alarm on its counter of the time without input.

From the "X Synchronization Extension Protocol", version 3.1, of which python-xlib knows nothing.
"""

import sys
from collections.abc import Iterable
from typing import Any

from Xlib import error
from Xlib.protocol import display, request, rq

ABSENT_SECS = 25.0
"""Back is who touches something after so long; no absence that can be set is shorter."""

_EXTENSION = "SYNC"
_IDLE_COUNTER = b"IDLETIME"
_ALARM_NOTIFY = 1  # counted from the extension's first event
_BEFORE_NAME = 14  # what stands before a counter's name: its number, its resolution, the length
_NEGATIVE_TRANSITION = 1
_ATTRIBUTES = 0b11111  # counter, value-type, value, test-type and delta are given


class _Initialize(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(0),
        rq.RequestLength(),
        rq.Card8("major_version"),
        rq.Card8("minor_version"),
        rq.Pad(2),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Pad(1),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card8("major_version"),
        rq.Card8("minor_version"),
        rq.Pad(22),
    )


class _ListSystemCounters(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength())
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Pad(1),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card32("count"),
        rq.Pad(20),
        rq.Binary("counters"),
    )


class _CreateAlarm(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(8),
        rq.RequestLength(),
        rq.Card32("alarm"),
        rq.Card32("mask"),
        rq.Card32("counter"),
        rq.Card32("value_type"),
        rq.Int32("value_high"),
        rq.Card32("value_low"),
        rq.Card32("test_type"),
        rq.Int32("delta_high"),
        rq.Card32("delta_low"),
    )


class ReturnAlarm:
    """Wakes a connection when there is input after a while without any, and at no other time.

    Servers without the extension or the counter never tell of a return; a sign of life does.
    """

    def __init__(self, connection: display.Display, absent_secs: float = ABSENT_SECS) -> None:
        self._event_type: int | None = None
        extension = request.QueryExtension(display=connection, name=_EXTENSION)
        if not extension.present:
            return
        opcode: int = extension.major_opcode
        try:
            _Initialize(display=connection, opcode=opcode, major_version=3, minor_version=1)
            listed: Any = _ListSystemCounters(display=connection, opcode=opcode)
        except error.XError:
            return  # a security policy may refuse it
        counter = find_idle_counter(listed.counters)
        if counter is None:
            return
        this: Any = connection  # the library's type stubs ask for its full Display here
        # It stays for good: with a delta of 0 it goes off at each transition anew.
        _CreateAlarm(
            display=this,
            opcode=opcode,
            alarm=connection.allocate_resource_id(),
            mask=_ATTRIBUTES,
            counter=counter,
            value_type=0,
            value_high=0,
            value_low=round(1000 * absent_secs),
            test_type=_NEGATIVE_TRANSITION,
            delta_high=0,
            delta_low=0,
        )
        self._event_type = extension.first_event + _ALARM_NOTIFY

    def is_told(self, events: Iterable[Any]) -> bool:
        """Return whether one of the events says that somebody is back."""
        return any(event.type == self._event_type for event in events)


def find_idle_counter(counters: bytes) -> int | None:
    """Return the number of the idle counter in a list of system counters; None without one."""
    rest = bytes(counters)
    while len(rest) >= _BEFORE_NAME:
        length = int.from_bytes(rest[_BEFORE_NAME - 2 : _BEFORE_NAME], sys.byteorder)
        size = _BEFORE_NAME + length
        if rest[_BEFORE_NAME:size] == _IDLE_COUNTER:
            return int.from_bytes(rest[:4], sys.byteorder)
        rest = rest[size + -size % 4 :]
    return None
