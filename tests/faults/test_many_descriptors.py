"""More than 1,023 descriptors are open, beyond which select(2), and so python-xlib, can't go."""

import sys
from functools import partial
from pathlib import Path

import trio

from tests.daemons import State, open_daemon
from tests.processes import open_files
from tests.x11 import XClient, kept_display, open_x_server, open_xvfb

_MANY = 1100
_OPEN_MANY = f"""
import os, sys
for _ in range({_MANY}):
    os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
"""
_DAEMON = (
    sys.executable,
    "-c",
    _OPEN_MANY + "os.execv(sys.executable, [sys.executable, '-m', 'antidriftd', *sys.argv[1:]])",
)


def is_in_front(title: str, state: State) -> bool:
    window = state.get("window")
    return window is not None and window["title"] == title


async def test_a_display_is_opened_and_found_again(tmp_path: Path) -> None:
    name = kept_display()
    async with open_daemon(
        tmp_path, sensor="x11", env={"DISPLAY": name}, program=_DAEMON
    ) as daemon:
        assert open_files(daemon.pid) > _MANY
        for title in ("before", "after"):
            async with open_x_server(name):
                with XClient(name) as client:
                    client.set_active(client.make_window("XTerm", title))
                    client.sync()
                    await daemon.wait_state(partial(is_in_front, title))
            await daemon.wait_state(lambda state: state["sensor"]["status"] == "unavailable")


async def test_the_library_alone_would_fail() -> None:
    """A control: it is the sensor's own process that makes the difference."""
    async with open_xvfb() as name:
        opens = f"{_OPEN_MANY}from Xlib.display import Display\nDisplay({name!r})"
        done = await trio.run_process(
            [sys.executable, "-c", opens], capture_stderr=True, check=False
        )

    assert b"filedescriptor out of range in select()" in done.stderr
