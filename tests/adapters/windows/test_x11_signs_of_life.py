"""The X11 program by itself, with signs of life five times a second instead of every 9 s."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from tests.x11 import XClient, open_x_server, read_line

PROGRAM = """
from antidriftd.adapters.windows import x11
x11.ALIVE_EVERY_SECS = 0.2
x11.run_program(x11.watch)
"""

ALIVE = '{"alive": true}'
WAIT_SECS = 30


class Program:
    """A running program, read line by line."""

    def __init__(self, stream: trio.abc.ReceiveStream) -> None:
        self._stream = stream

    async def wait_line(self, wanted: str) -> list[str]:
        """Return the lines up to one that holds `wanted`."""
        lines: list[str] = []
        with trio.fail_after(WAIT_SECS):
            while not lines or wanted not in lines[-1]:
                lines.append(await read_line(self._stream))
        return lines


@asynccontextmanager
async def open_program(display_name: str) -> AsyncIterator[Program]:
    process = await trio.lowlevel.open_process(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "DISPLAY": display_name, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    async with process.stdin, process.stdout:
        try:
            yield Program(process.stdout)
        finally:
            process.kill()
            await process.wait()


async def test_it_gives_signs_of_life_while_nothing_changes(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program:
        await program.wait_line("window")

        for _ in range(5):
            assert await program.wait_line(ALIVE) == [ALIVE]


async def test_it_gives_signs_of_life_while_changes_that_mean_nothing_pour_in(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program, trio.open_nursery() as nursery:
        window = client.make_window("XTerm", "vim")
        client.set_active(window)
        await program.wait_line("vim")

        async def pour() -> None:
            while True:
                client.set_property(client.root, "_NET_CLIENT_LIST", [7], "WINDOW", 32)
                client.set_title(window, b"vim")
                client.set_active(window)
                await trio.sleep(0.005)

        nursery.start_soon(pour)
        for _ in range(5):
            assert await program.wait_line(ALIVE) == [ALIVE]
        nursery.cancel_scope.cancel()


async def test_it_gives_no_sign_of_life_for_a_server_that_does_not_answer() -> None:
    async with open_x_server() as server, open_program(server.name) as program:
        await program.wait_line(ALIVE)
        server.freeze()

        with trio.move_on_after(1.5) as patience:
            # What was on its way when the server froze, at most.
            await program.wait_line(ALIVE)
            await program.wait_line(ALIVE)
        assert patience.cancelled_caught

        server.thaw()
        await program.wait_line(ALIVE)


async def test_it_finds_out_that_a_window_is_gone_though_nobody_says_so(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program:
        window = client.make_window("XTerm", "vim")
        client.set_active(window)
        await program.wait_line("vim")

        client.destroy(window)

        await program.wait_line('"window": null')
