"""How long nobody has touched anything, on real servers."""

import json
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import pytest
import trio

from antidriftd.adapters.windows.program import Printer
from antidriftd.adapters.windows.x11 import Connection, FrontWindow
from antidriftd.adapters.windows.x11_input import LastInput
from antidriftd.adapters.windows.x11_return import find_idle_counter
from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display, SensorHealth
from tests.adapters.windows.recording_sink import open_sensor
from tests.adapters.windows.x11_program import ALIVE, WAIT_SECS, Program, open_program
from tests.processes import wake_ups
from tests.x11 import XClient, open_client, open_x_server

NO_SCREEN_SAVER = ("-extension", "MIT-SCREEN-SAVER")


async def next_idle_secs(program: Program) -> float:
    sign = json.loads((await program.wait_line(ALIVE))[-1])
    idle_secs: float = sign["idle_secs"]
    return idle_secs


@asynccontextmanager
async def touching(display_name: str, *arguments: str) -> AsyncIterator[None]:
    """Touch a key or the mouse again and again, as a person would; at the end nothing is held."""
    is_over = trio.Event()

    async def touch() -> None:
        while not is_over.is_set():
            # To its end: a key whose release was cut off would repeat itself for ever.
            async with open_client(display_name, "xdotool", *arguments) as xdotool:
                assert await xdotool.wait() == 0
            await trio.sleep(0.1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(touch)
        yield
        is_over.set()


async def test_the_time_without_input_grows(x_display: str, client: XClient) -> None:
    async with open_program(x_display) as program:
        told = [await next_idle_secs(program) for _ in range(4)]

    assert told == sorted(told)
    # Three signs of life later, 0.2 s apart, in the unit of a second.
    assert 0.3 < told[-1] - told[0] < WAIT_SECS


@pytest.mark.parametrize("arguments", [("key", "a"), ("mousemove", "31", "41"), ("click", "1")])
async def test_a_touch_ends_it(x_display: str, client: XClient, arguments: tuple[str, ...]) -> None:
    async with open_program(x_display) as program:
        with trio.fail_after(WAIT_SECS):
            while await next_idle_secs(program) < 2:
                pass
            async with touching(x_display, *arguments):
                while await next_idle_secs(program) >= 2:
                    pass


async def test_a_return_is_told_each_time_though_no_sign_of_life_is_due(
    x_display: str, client: XClient
) -> None:
    program = open_program(x_display, alive_every_secs=999, absent_secs=0.5)
    async with program as told:
        await told.wait_line(ALIVE)
        for _ in range(3):
            await trio.sleep(1)  # nothing is touched
            async with touching(x_display, "key", "a"):
                # Nothing but a return has a line from then on.
                assert await next_idle_secs(told) < 1


async def test_nobody_wakes_the_program_by_staying_away_or_by_staying(
    x_display: str, client: XClient
) -> None:
    program = open_program(x_display, alive_every_secs=999, absent_secs=0.3)
    async with program as told:
        await told.wait_line(ALIVE)
        await trio.sleep(0.2)
        before = wake_ups(told.pid)
        await trio.sleep(1)  # as long as three absences
        assert wake_ups(told.pid) == before

        async with touching(x_display, "key", "a"):
            await told.wait_line(ALIVE)
            before = wake_ups(told.pid)
            await trio.sleep(1)
            # The last of the return; the key is touched some ten times.
            assert wake_ups(told.pid) - before <= 2


async def test_changes_are_told_while_nobody_is_there(x_display: str, client: XClient) -> None:
    async with open_program(x_display, absent_secs=0.1) as told:
        for number in range(20):
            client.set_active(client.make_window("XTerm", f"window {number}"))
            await told.wait_line(f"window {number}")


@pytest.mark.parametrize("arguments", [("-extension", "SYNC"), ()])
async def test_where_nothing_tells_of_a_return_the_next_sign_of_life_does(
    arguments: tuple[str, ...],
) -> None:
    async with (
        open_x_server("", *arguments) as server,
        open_program(server.name, absent_secs=999) as program,
    ):
        while await next_idle_secs(program) < 1:
            pass
        async with touching(server.name, "key", "a"):
            while await next_idle_secs(program) >= 1:
                pass


def system_counters(*names: bytes) -> bytes:
    """Return counters 1, 2 and so on as a server lists them."""
    entries = [
        struct.pack("=IiIH", number, 0, 4, len(name)) + name for number, name in enumerate(names, 1)
    ]
    return b"".join(entry + bytes(-len(entry) % 4) for entry in entries)


def test_the_idle_counter_is_found_among_the_others() -> None:
    listed = system_counters(b"SERVERTIME", b"DEVICEIDLETIME 2", b"IDLETIME", b"x")

    assert find_idle_counter(listed) == 3
    assert find_idle_counter(system_counters(b"SERVERTIME")) is None
    assert find_idle_counter(b"") is None
    assert find_idle_counter(listed[:7]) is None


async def test_a_sign_of_life_costs_no_round_trip_more_for_input(
    x_display: str, client: XClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", x_display)
    with closing(Connection()) as connection:
        last_input = LastInput(connection, connection.default_root)
        front = FrontWindow(connection)
        last_input.ask()
        assert connection.request_queue != []  # nothing has been sent for it

        front.look_again(Printer())
        with monkeypatch.context() as patch:
            patch.setattr(connection, "send_and_recv", lambda **_: pytest.fail("not yet there"))
            idle_secs = last_input.idle_secs()

    assert idle_secs is not None
    assert idle_secs >= 0


async def test_a_server_that_cannot_tell_is_watched_without() -> None:
    async with open_x_server("", *NO_SCREEN_SAVER) as server:
        async with open_program(server.name) as program:
            for _ in range(3):
                assert (await program.wait_line(ALIVE))[-1] == '{"alive": true}'
        with XClient(server.name) as client:
            client.set_active(client.make_window("XTerm", "vim"))
            sensor = X11WindowSensor(Display(server.name), False, "auto")
            async with open_sensor(sensor) as sink:
                await sink.wait_title("vim")
                assert await sink.wait_idle_secs(count=1) == [None]

        assert sink.healths[-1] == SensorHealth("x11", ok=True)


async def test_a_server_that_refuses_to_tell_is_watched_without(
    x_display: str, client: XClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", x_display)
    gone = client.make_window()
    client.destroy(gone)
    with closing(Connection()) as connection:
        last_input = LastInput(connection, gone)
        for _ in range(2):
            last_input.ask()
            assert last_input.idle_secs() is None
        FrontWindow(connection).look(Printer())


async def test_the_sensor_tells_of_input_as_soon_as_it_works(
    x_display: str, client: XClient
) -> None:
    async with open_sensor(X11WindowSensor(Display(x_display), False, "auto")) as sink:
        (idle_secs,) = await sink.wait_idle_secs(count=1)

    assert idle_secs is not None
    assert 0 <= idle_secs < WAIT_SECS
