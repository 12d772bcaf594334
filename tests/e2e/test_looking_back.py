"""What a session was like can be read once it is over, beside the daemon that runs on."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.cli.fake_daemon import command
from tests.clients import PATIENCE_SECS
from tests.daemons import Daemon, open_daemon

NUMBERS = (
    *("ontask_secs", "drift_secs", "unjudged_secs", "away_secs"),
    *("switches", "drift_episodes"),
)


async def run(daemon: Daemon, *args: str) -> str:
    done = await trio.run_process(
        command(*args), env=daemon.home.environ, capture_stdout=True, capture_stderr=True
    )
    assert done.stderr == b""
    return done.stdout.decode()


async def wait_for_sessions(daemon: Daemon, outcomes: list[str]) -> list[dict[str, Any]]:
    """Return the sessions of the log, once their reviews are these."""
    with trio.fail_after(PATIENCE_SECS):
        while True:
            sessions = json.loads(await run(daemon, "log", "--json"))["sessions"]
            if [each.get("outcome", "") for each in sessions] == outcomes:
                return list(sessions)


async def test_the_log_tells_of_a_session_what_its_review_told(tmp_path: Path) -> None:
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "steam", "title": "a game"}\n')
    async with open_daemon(tmp_path, sensor=f"replay:{recording}", ai="local") as daemon:
        assert await wait_for_sessions(daemon, []) == []
        await daemon.request("start", next_action="write the report", timebox_secs=600)
        await daemon.wait_state(lambda state: state["drift"]["status"] == "drifting")
        await daemon.request("refocus", because="a call")
        review = await daemon.request("complete")
        await wait_for_sessions(daemon, [""])
        await daemon.request("review", outcome="partial", note="half of it")
        (session,) = await wait_for_sessions(daemon, ["partial"])
        report = json.loads(await run(daemon, "report", "--json"))

    assert (session["next_action"], session["timebox_secs"]) == ("write the report", 600)
    assert session["note"] == "half of it"
    told = [review["evidence"][name] for name in NUMBERS]
    assert [session[name] for name in NUMBERS] == pytest.approx(told, abs=1e-6)
    assert session["drift_episodes"] == 1
    assert "a game" not in json.dumps(session)  # titles are private unless told otherwise
    assert [each["class"] for each in report["pulled_away"]] == ["steam"]
    assert report["causes"] == [{"cause": "a call", "times": 1}]


async def test_what_was_exported_and_what_runs_on_are_counted_once(tmp_path: Path) -> None:
    exports = tmp_path / "exports"
    exports.mkdir()
    async with open_daemon(tmp_path) as daemon:
        for outcome in ("done", "dropped"):
            await daemon.request("start", next_action=outcome, timebox_secs=600)
            await daemon.request("complete")
            await daemon.request("review", outcome=outcome)
        await wait_for_sessions(daemon, ["done", "dropped"])
        await run(daemon, "export", "-o", str(exports / "here.jsonl"))
        await daemon.request("start", next_action="go on", timebox_secs=600)
        report = json.loads(await run(daemon, "report", "--from", str(exports), "--json"))

    assert report["outcomes"] == {"done": 1, "dropped": 1}
    assert (report["hosts"], report["total"]["planned_secs"]) == (1, 1200)
