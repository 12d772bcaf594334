"""The view with a real daemon: keys do what the verbs do, and a restart is survived."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from tests.cli.live.viewer import open_viewer
from tests.daemons import State, open_daemon

T = TypeVar("T")


async def aside(call: Callable[[], T]) -> T:
    """Let the viewer wait in a thread, so that the daemon's keeper goes on."""
    return await trio.to_thread.run_sync(call)


def replay(directory: Path) -> str:
    file = directory / "windows.jsonl"
    window = {"at": 0, "class": "firefox", "title": "Funny cats - YouTube - Mozilla Firefox"}
    file.write_text(json.dumps(window) + "\n")
    return f"replay:{file}"


async def test_a_drift_is_answered_with_one_key(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor=replay(tmp_path), ai="local") as daemon:
        await daemon.request("start", next_action="write the sourdough chapter")
        with open_viewer(daemon.home) as viewer:
            await aside(partial(viewer.sees, " DRIFTING  firefox: Funny cats"))
            viewer.terminal.type(b"o")
            await aside(partial(viewer.sees, "is allowed; undo: antidrift disallow"))
            await aside(partial(viewer.sees_no_more, "DRIFTING"))

        state = await daemon.request("state")
        assert state["commitment"]["allowed_window_titles"] == ["=funny cats - youtube"]
        assert state["drift"]["status"] == "ontask"


async def test_a_session_is_extended_completed_and_found_again_after_a_restart(
    tmp_path: Path,
) -> None:
    async with open_daemon(tmp_path) as daemon:
        with open_viewer(daemon.home) as viewer:
            await aside(partial(viewer.sees, "idle: nothing planned"))
            viewer.terminal.type(b"c")
            await aside(partial(viewer.sees, "nothing is planned"))

            started = await daemon.request("start", next_action="write", timebox_secs=60)
            await aside(partial(viewer.sees, "active: write"))
            viewer.terminal.type(b"+")
            await aside(partial(viewer.sees, "extended by 5m: "))
            await aside(partial(viewer.sees, "5m "))
            assert ends(await daemon.request("state")) > ends(started)

            await daemon.kill()
            await aside(partial(viewer.sees, "the daemon went away; waiting for it"))
            await daemon.start()
            await aside(partial(viewer.sees, "the daemon is back"))

            viewer.terminal.type(b"c")
            await aside(partial(viewer.sees, "review: write"))
            assert (await daemon.request("state"))["runtime"] == "review"
            viewer.terminal.type(b"q")
            assert await aside(viewer.end) == 0
            assert viewer.terminal_is_restored()


async def test_p_pauses_the_session_and_then_goes_on(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        started = await daemon.request("start", next_action="write")
        with open_viewer(daemon.home) as viewer:
            await aside(partial(viewer.sees, "p pause"))
            viewer.terminal.type(b"p")
            await aside(partial(viewer.sees, "; p goes on"))
            await aside(partial(viewer.sees, "p resume"))
            assert (await daemon.request("state"))["away"]["reason"] == "paused"

            viewer.terminal.type(b"p")
            await aside(partial(viewer.sees, "on again after a pause of "))
            await aside(partial(viewer.sees, "p pause"))

        state = await daemon.request("state")
        assert "away" not in state
        assert ends(state) > ends(started)


async def test_refocus_clears_the_drift(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor=replay(tmp_path), ai="local") as daemon:
        await daemon.request("start", next_action="write the sourdough chapter")
        with open_viewer(daemon.home) as viewer:
            await aside(partial(viewer.sees, " DRIFTING "))
            viewer.terminal.type(b"r")
            await aside(partial(viewer.sees, "the drift is cleared"))
            await aside(partial(viewer.sees_no_more, " DRIFTING "))


def ends(state: State) -> str:
    value: str = state["commitment"]["ends_at"]
    return value
