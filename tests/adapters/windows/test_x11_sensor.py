"""Which display is watched, and what happens as displays come and go."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
import trio
import trio.testing

from antidriftd.adapters.windows.x11_sensor import NO_DISPLAY, WAYLAND, X11WindowSensor
from antidriftd.core.model import Display, SensorHealth, Window
from tests.adapters.windows.recording_sink import open_sensor
from tests.waiting import wait_until
from tests.x11 import XClient, kept_display, open_x_server, open_xvfb, read_line

WORKING = SensorHealth("x11", ok=True)
DEAD = Display(":59999")


def sensor(
    display: Display | None,
    *,
    wayland: bool = False,
    name: Literal["x11", "auto"] = "auto",
    silence_secs: float = 20,
) -> X11WindowSensor:
    return X11WindowSensor(display, wayland, name, silence_secs=silence_secs)


@asynccontextmanager
async def one_window(display_name: str, title: str) -> AsyncIterator[XClient]:
    with XClient(display_name) as client:
        client.set_active(client.make_window("XTerm", title))
        client.sync()
        yield client


@pytest.mark.parametrize("display", [None, Display("")])
@pytest.mark.parametrize("name", ["x11", "auto"])
async def test_without_a_display_it_says_how_to_make_one_known(
    display: Display | None, name: Literal["x11", "auto"]
) -> None:
    async with open_sensor(sensor(display, name=name)) as sink:
        await sink.wait_health(ok=False)

    assert sink.events == [SensorHealth(name, ok=False, detail=NO_DISPLAY, takes_display=True)]


async def test_an_offered_display_is_used(x_display: str) -> None:
    x11 = sensor(None)
    async with one_window(x_display, "vim"), open_sensor(x11) as sink:
        await sink.wait_health(ok=False)
        x11.use_display(Display(f"{x_display}.0"))
        await sink.wait_window(Window("XTerm", "vim", "xterm"))

    assert sink.healths[-1] == WORKING


async def test_a_display_offered_before_the_start_is_used(x_display: str) -> None:
    x11 = sensor(None)
    x11.use_display(Display(x_display))
    async with one_window(x_display, "vim"), open_sensor(x11) as sink:
        await sink.wait_title("vim")


@pytest.mark.parametrize(
    "name", ["", "host:0", "localhost:10.0", "unix:0", "tcp/h:0", ":", ":x", ":٣", ":0\n", "/x:0"]
)
async def test_only_a_local_display_is_taken(name: str) -> None:
    x11 = sensor(None)
    async with open_sensor(x11) as sink:
        await sink.wait_health(ok=False)
        x11.use_display(Display(name))
        await trio.testing.wait_all_tasks_blocked(0.05)

    assert [health.detail for health in sink.healths] == [NO_DISPLAY]


async def test_a_working_display_is_not_given_up_for_an_offered_one(x_display: str) -> None:
    x11 = sensor(Display(x_display))
    async with (
        one_window(x_display, "here") as client,
        open_xvfb() as other,
        one_window(other, "there"),
        open_sensor(x11) as sink,
    ):
        await sink.wait_title("here")
        x11.use_display(Display(other))
        client.set_active(client.make_window("XTerm", "still here"))
        await sink.wait_title("still here")

    assert "there" not in sink.titles
    assert sink.healths[1:] == [WORKING]


async def test_a_display_that_answers_takes_the_place_of_one_that_does_not(x_display: str) -> None:
    x11 = sensor(DEAD)
    async with one_window(x_display, "vim"), open_sensor(x11) as sink:
        health = await sink.wait_health(ok=False, detail="does not answer")
        x11.use_display(Display(x_display))
        await sink.wait_title("vim")

    assert health == SensorHealth("auto", ok=False, detail=health.detail, takes_display=True)
    assert DEAD.name in health.detail


async def test_a_display_that_is_long_gone_does_not_take_the_place_of_one_that_comes_back() -> None:
    name = kept_display()
    x11 = sensor(Display(name))
    async with open_sensor(x11) as sink:
        await sink.wait_health(ok=False, detail="does not answer")
        x11.use_display(DEAD)
        async with open_xvfb(name), one_window(name, "back"):
            await sink.wait_title("back")


@pytest.mark.parametrize("offered", [True, False])
async def test_in_a_wayland_session_nothing_is_watched(x_display: str, offered: bool) -> None:
    x11 = sensor(None if offered else Display(x_display), wayland=not offered)
    async with one_window(x_display, "stale"), open_sensor(x11) as sink:
        await sink.wait_health(ok=False)
        x11.use_display(Display(x_display, session_type="wayland"))
        x11.use_display(Display(x_display, session_type="x11"))
        health = await sink.wait_health(ok=False, detail=WAYLAND)
        await trio.testing.wait_all_tasks_blocked(0.05)

    assert health == SensorHealth("auto", ok=False, detail=WAYLAND, is_wayland=True)
    assert sink.healths[-1] == health
    assert sink.windows == []


@pytest.mark.parametrize("name", [":x", "127.0.0.1:9999", "/tmp/x:0"])
async def test_a_display_that_cannot_be_opened_is_named(name: str) -> None:
    async with open_sensor(sensor(Display(name))) as sink:
        health = await sink.wait_health(ok=False, detail=name, healths=1)

    assert health.takes_display


async def test_a_display_is_found_again_when_its_server_is_back() -> None:
    name = kept_display()
    async with open_x_server(name) as server, open_sensor(sensor(Display(name))) as sink:
        with XClient(name) as client:
            # Numbers of atoms: the next server will give other ones.
            for number in range(20):
                client.set_property(client.root, f"ANTIDRIFT_{number}", b"", "STRING")
            client.set_active(client.make_window("XTerm", "before"))
            await sink.wait_title("before")
            await server.kill()
        await sink.wait_health(ok=False, detail="does not answer")
        assert sink.windows[-1] is None
        await trio.sleep(2)
        async with open_x_server(name), one_window(name, "after"):
            with trio.fail_after(10):
                await sink.wait_title("after")
            assert sink.healths[-1] == WORKING
    # What the person is told: connecting, working, lost, not answering, working.
    assert len(sink.healths) <= 6


@pytest.mark.parametrize("how", ["frozen", "grabbed"])
async def test_a_server_that_does_not_answer_is_given_up_and_found_again(how: str) -> None:
    async with open_x_server() as server:
        with XClient(server.name) as hog:
            if how == "frozen":
                server.freeze()
            else:
                hog.grab_server()
            async with open_sensor(sensor(Display(server.name), silence_secs=1)) as sink:
                await sink.wait_health(ok=False, detail="silent")
                assert sink.healths[-1].takes_display
                server.thaw()
                hog.close()
                async with one_window(server.name, "awake"):
                    await sink.wait_title("awake")


async def test_a_server_that_freezes_is_noticed() -> None:
    async with (
        open_x_server() as server,
        one_window(server.name, "before"),
        # A sign of life is due every 9 s.
        open_sensor(sensor(Display(server.name), silence_secs=11)) as sink,
    ):
        await sink.wait_title("before")
        server.freeze()
        await sink.wait_health(ok=False, detail="silent")
        assert sink.windows[-1] is None
        server.thaw()
        await sink.wait_title("before")


def write_cookie(path: Path, display_name: str, cookie: bytes) -> None:
    """Write an Xauthority file (libXau, AuWriteAuth: lengths before texts, big-endian)."""
    family_local = b"\1\0"
    fields = [socket.gethostname(), display_name.removeprefix(":"), "MIT-MAGIC-COOKIE-1"]
    texts = [*(field.encode() for field in fields), cookie]
    path.write_bytes(family_local + b"".join(len(t).to_bytes(2, "big") + t for t in texts))


async def test_a_display_that_refuses_us_is_used_once_the_right_authority_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = kept_display()
    cookie, wrong = tmp_path / "cookie", tmp_path / "wrong"
    write_cookie(cookie, name, b"c" * 16)
    write_cookie(wrong, name, b"w" * 16)
    x11 = sensor(Display(name, str(wrong)))
    async with open_x_server(name, "-auth", str(cookie)), open_sensor(x11) as sink:
        await sink.wait_health(ok=False, detail=f"can't open X display {name}: Invalid MIT")
        monkeypatch.setenv("XAUTHORITY", str(cookie))
        async with one_window(name, "vim"):
            x11.use_display(Display(name, str(cookie)))
            await sink.wait_title("vim")


DAEMON = """
import sys, trio
from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display

class Sink:
    def window_focused(self, window):
        print(window.title if window else None, flush=True)
    def input_seen(self, idle_secs):
        pass
    def sensor_changed(self, health):
        pass

trio.run(X11WindowSensor(Display(sys.argv[1]), False, "auto").run, Sink())
"""


@pytest.mark.parametrize("server_frozen", [False, True])
async def test_a_killed_daemon_leaves_no_program_behind(server_frozen: bool) -> None:
    async with open_x_server() as server, one_window(server.name, "vim") as client:
        daemon = await trio.lowlevel.open_process(
            [sys.executable, "-c", DAEMON, server.name], stdout=subprocess.PIPE
        )
        assert daemon.stdout is not None
        assert await read_line(daemon.stdout) == "vim"
        (program,) = children_of(daemon.pid)
        if server_frozen:
            client.set_title(client.root, b"a reason to ask")
            server.freeze()
        daemon.kill()
        await daemon.wait()

        await wait_until(lambda: not is_running(program))
        await daemon.stdout.aclose()


def children_of(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task").iterdir()
    texts = [(task / "children").read_text() for task in tasks]
    return [int(pid) for text in texts for pid in text.split()]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return b"\nState:\tZ" not in Path(f"/proc/{pid}/status").read_bytes()
