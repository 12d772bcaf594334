"""The connection to the X server, without a program around it."""

from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import Xlib.display
import Xlib.protocol.display
from Xlib import X, Xatom, error
from Xlib.protocol import request

from antidriftd.adapters.windows.program import Printer, Record
from antidriftd.adapters.windows.x11 import Connection, FrontWindow
from tests.x11 import XClient


class CountingConnection(Connection):
    """Counts its round trips."""

    trips = 0

    def read_properties(self, window: int, *atoms: int) -> list[request.GetProperty]:
        self.trips += 1
        return super().read_properties(window, *atoms)


class FakePrinter(Printer):
    """Keeps what it is told instead of printing it."""

    def __init__(self) -> None:
        self.windows: list[Record] = []

    def window(self, record: Record) -> None:
        self.windows.append(record)

    def detail(self, text: str) -> None:
        pass


@pytest.fixture
async def connection(
    x_display: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[CountingConnection]:
    monkeypatch.setenv("DISPLAY", x_display)
    with closing(CountingConnection()) as connection:
        yield connection


async def test_a_value_error_leaves_the_connection_usable(
    x_display: str, client: XClient, connection: CountingConnection
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
    (reply,) = connection.read_properties(client.root, Xatom.WM_NAME)
    assert reply.value == (8, b"short")


async def test_a_focus_change_costs_two_round_trips_and_a_title_change_one(
    client: XClient, connection: CountingConnection
) -> None:
    front = FrontWindow(connection)
    printer = FakePrinter()
    front.look(printer)
    window = client.make_window("XTerm", "vim")
    client.set_active(window)
    client.sync()

    connection.trips = 0
    assert front.changes() == (True, False)
    front.look(printer)
    assert connection.trips == 2

    connection.trips = 0
    client.set_title(window, b"emacs")
    client.sync()
    assert front.changes() == (False, True)
    front.look_at_texts(printer)
    assert connection.trips == 1

    assert [record.get("title") for record in printer.windows] == [None, "vim", "emacs"]


async def test_a_flood_of_changes_is_answered_by_few_looks(
    client: XClient, connection: CountingConnection
) -> None:
    front = FrontWindow(connection)
    printer = FakePrinter()
    window = client.make_window("Spinner", "start")
    client.set_active(window)
    front.look(printer)

    connection.trips = 0
    for number in range(2000):
        client.set_title(window, str(number).encode())
    client.sync()
    # 4 KiB of events come in at a time, so that a look need not wait for all of them.
    assert 1 <= connection.pending_events() <= 128
    while any(front.changes()):
        front.look_at_texts(printer)

    assert printer.windows[-1]["title"] == "1999"
    assert connection.trips <= 30
