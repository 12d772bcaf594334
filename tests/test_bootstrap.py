"""The daemon as it is put together: what it says of its parts from the first moment on."""

from datetime import datetime, timedelta
from pathlib import Path

from tests.clients import State
from tests.daemons import open_daemon


def ends_at(state: State) -> datetime:
    return datetime.fromisoformat(state["commitment"]["ends_at"])


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
    for member in ("next_action", "timebox_secs", "allowed_window_classes"):
        assert after["commitment"][member] == before["commitment"][member]
    # The two clocks are not read at the same instant: microseconds may differ.
    assert abs(ends_at(after) - ends_at(before)) < timedelta(milliseconds=100)
    assert after["drift"]["status"] == "idle"
