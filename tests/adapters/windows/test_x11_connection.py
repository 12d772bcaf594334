"""The connection to the X server, without a program around it."""

import struct
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import pytest
import Xlib.display
import Xlib.protocol.display
from Xlib import X, Xatom, error
from Xlib.protocol import request

from antidriftd.adapters.windows.ewmh import Property
from antidriftd.adapters.windows.program import Printer, Record
from antidriftd.adapters.windows.x11 import Connection, FrontWindow
from antidriftd.adapters.windows.x11_property import PropertyRequest
from tests.x11 import XClient


class MeteredSocket:
    """A connection's socket that keeps what goes out."""

    def __init__(self, sock: Any) -> None:
        self._socket = sock
        self.forget()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def forget(self) -> None:
        """Count from now."""
        self._sent = b""
        self.trips = 0
        """How often something was sent: python-xlib does so only to wait for a reply."""

    def send(self, data: bytes) -> int:
        """Send `data`, as a socket does."""
        count: int = self._socket.send(data)
        self._sent += bytes(data[:count])
        self.trips += 1
        return count

    def requests(self) -> list[tuple[int, int]]:
        """Return what was asked: opcode and first argument (X11 protocol, appendix B)."""
        rest, found = self._sent, []
        while rest:
            opcode, units, argument = struct.unpack_from("=BxHI", rest)
            found.append((opcode, argument))
            rest = rest[4 * units :]
        return found


GET_PROPERTY, CHANGE_ATTRIBUTES = 20, 2


class FakePrinter(Printer):
    """Keeps what it is told instead of printing it."""

    def __init__(self) -> None:
        self.windows: list[Record] = []

    def window(self, record: Record) -> None:
        self.windows.append(record)

    def detail(self, text: str) -> None:
        pass


@pytest.fixture
async def connection(x_display: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Connection]:
    monkeypatch.setenv("DISPLAY", x_display)
    with closing(Connection()) as connection:
        yield connection


@pytest.fixture
def wire(connection: Connection) -> MeteredSocket:
    opened: Any = connection
    opened.socket = MeteredSocket(opened.socket)
    metered: MeteredSocket = opened.socket
    return metered


async def test_a_value_error_leaves_the_connection_usable(
    x_display: str, client: XClient, connection: Connection
) -> None:
    """python-xlib's RandR extension replaces the core's errors by classes that can't be made."""
    client.set_property(client.root, "WM_NAME", b"short", "STRING")
    client.sync()

    def read_past_the_end(display: Xlib.protocol.display.Display) -> None:
        request.GetProperty(
            display=display,
            delete=False,
            window=client.root,
            property=Xatom.WM_NAME,
            type=X.AnyPropertyType,
            long_offset=1000,
            long_length=1,
        )

    with closing(Xlib.display.Display(x_display)) as trapped, pytest.raises(AttributeError):
        read_past_the_end(trapped.display)
    for _ in range(3):
        with pytest.raises(error.BadValue):
            read_past_the_end(connection)
    asked = PropertyRequest(connection, client.root, Xatom.WM_NAME)
    assert asked.wait({Xatom.STRING: "STRING"}) == Property("STRING", 8, b"short")


LONG = "a title beyond the forty bytes that python-xlib asks for at first; " * 15


async def test_a_focus_change_costs_a_request_a_property_and_two_round_trips(
    client: XClient, connection: Connection, wire: MeteredSocket
) -> None:
    front, printer = FrontWindow(connection), FakePrinter()
    before, window = client.make_window("XTerm", "before"), client.make_window("XTerm", LONG)
    client.set_active(before)
    client.sync()
    front.look(printer)

    wire.forget()
    client.set_active(window)
    client.sync()
    assert front.changes(connection.take_events()) == (True, False)
    front.look(printer)

    assert wire.trips == 2
    assert wire.requests() == [
        (GET_PROPERTY, client.root),
        (CHANGE_ATTRIBUTES, before),
        (CHANGE_ATTRIBUTES, window),
        *[(GET_PROPERTY, window)] * 3,
    ]
    assert [record.get("title") for record in printer.windows] == ["before", LONG[:1024]]


async def test_a_title_change_costs_one_round_trip_and_so_does_a_sign_of_life(
    client: XClient, connection: Connection, wire: MeteredSocket
) -> None:
    front, printer = FrontWindow(connection), FakePrinter()
    window = client.make_window("XTerm", "vim")
    client.set_active(window)
    client.sync()
    front.look(printer)

    wire.forget()
    client.set_title(window, LONG.encode())
    client.sync()
    assert front.changes(connection.take_events()) == (False, True)
    front.look_at_texts(printer)
    assert wire.trips == 1
    assert wire.requests() == [(GET_PROPERTY, window)] * 3

    wire.forget()
    front.look_again(printer)
    assert wire.trips == 1
    assert wire.requests() == [(GET_PROPERTY, client.root), *[(GET_PROPERTY, window)] * 3]
    titles = [record.get("title") for record in printer.windows]
    assert titles == ["vim", LONG[:1024], LONG[:1024]]


async def test_a_look_again_finds_another_window_and_one_that_is_gone(
    client: XClient, connection: Connection
) -> None:
    front = FrontWindow(connection)
    printer = FakePrinter()
    first, second = client.make_window("XTerm", "first"), client.make_window("XTerm", "second")
    for window in (first, second):
        client.set_active(window)
        client.sync()
        front.look_again(printer)
    client.destroy(second)
    front.look_again(printer)
    client.destroy(first)  # known once, and in front again though it is gone
    client.set_active(first)
    client.sync()
    front.look_again(printer)

    assert [record.get("title") for record in printer.windows] == ["first", "second", None, None]


async def test_a_flood_of_changes_is_answered_by_few_looks(
    client: XClient, connection: Connection, wire: MeteredSocket
) -> None:
    front = FrontWindow(connection)
    printer = FakePrinter()
    window = client.make_window("Spinner", "start")
    client.set_active(window)
    client.sync()
    front.look(printer)

    wire.forget()
    for number in range(2000):
        client.set_title(window, str(number).encode())
    client.sync()
    # 4 KiB of events come in at a time, so that a look need not wait for all of them.
    assert 1 <= connection.pending_events() <= 128
    while any(front.changes(connection.take_events())):
        front.look_at_texts(printer)

    assert printer.windows[-1]["title"] == "1999"
    assert wire.trips <= 30
