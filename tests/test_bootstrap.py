"""The daemon as it is put together: what it says of its parts from the first moment on."""

from pathlib import Path

import pytest

from tests.clients import Refused
from tests.daemons import open_daemon


async def test_a_recording_is_named_without_its_path(tmp_path: Path) -> None:
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "code", "title": "main.py"}\n')
    async with open_daemon(tmp_path, sensor=f"replay:{recording}") as daemon:
        assert (await daemon.request("state"))["sensor"]["name"] == "replay"
        state = await daemon.wait_state(lambda state: "window" in state)

        assert state["sensor"] == {"name": "replay", "status": "ok"}
        assert state["window"]["title"] == "main.py"
        assert (await daemon.request("info"))["sensor"] == f"replay:{recording}"


async def test_a_missing_recording_is_no_failed_start(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor=f"replay:{tmp_path}/missing.jsonl") as daemon:
        state = await daemon.wait_state(lambda state: "missing" in str(state["sensor"]))

        assert state["sensor"]["status"] == "unavailable"


async def test_a_missing_program_of_the_advisor_is_a_notice_and_no_failed_start(
    tmp_path: Path,
) -> None:
    env = {"ANTIDRIFT_AI_CMD": "no-such-program-at-all --json"}
    async with open_daemon(tmp_path, ai="command", env=env) as daemon:
        (notice,) = (await daemon.request("state"))["notices"]
        assert "no-such-program-at-all" in notice
        started = await daemon.request("start", next_action="write")

        assert started["notices"] == [notice]  # it is about a condition, and that has not gone


@pytest.mark.parametrize("method", ["coach", "tasks"])
async def test_who_needs_a_missing_program_is_told_which_and_where_it_was_sought(
    tmp_path: Path, method: str
) -> None:
    """meawoppl/agent-portal PR#543: a service's PATH lacks what a shell's has."""
    config = "[tasks]\nsource = 'taskwarrior'\n"
    env = {"PATH": "/nowhere"}
    async with open_daemon(tmp_path, ai="claude", env=env, config=config) as daemon:
        await daemon.request("plan", intent="read")
        with pytest.raises(Refused, match="PATH=/nowhere") as refusal:
            await daemon.request(method)

    assert refusal.value.kind == "unavailable"


async def test_without_a_display_it_runs_and_says_why_there_are_no_windows(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor="auto") as daemon:
        state = await daemon.wait_state(lambda state: "display" in state["sensor"]["detail"])

        assert state["sensor"]["name"] == "auto"
        assert (await daemon.request("plan", intent="read"))["runtime"] == "planning"


async def test_a_session_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        before = await daemon.request(
            "start",
            next_action="write",
            timebox_secs=600,
            allowed_window_classes=["code"],
            allowed_window_titles=["draft"],
        )
        await daemon.restart()
        after = await daemon.request("state")

    assert after["runtime"] == "active"
    assert after["revision"] > before["revision"]
    assert after["commitment"] == before["commitment"]
    assert after["drift"]["status"] == "idle"
