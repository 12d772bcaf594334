"""A session over the wire: its drift, its answers, its display, its review."""

from pathlib import Path

from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core.model import SensorHealth, Verdict
from tests.builders import RULES
from tests.fakes.store import FakeSnapshotStore
from tests.rpc.served import Served, open_served


async def test_a_drift_is_shown_and_answered(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await client.request("start", next_action="write", allowed_window_classes=["code"])
        await client.request("watch")
        served.sensor.focus("supertux", "SuperTux")
        state = await client.next_state()
        while state["drift"]["status"] != "drifting":
            state = await client.next_state()
        subject = {"class": "supertux", "title": "SuperTux"}
        assert state["drift"]["reason"] == "off task"
        assert state["drift"]["subject"] == state["drift"]["open"]["subject"] == subject

        answered = await client.request("ontask")
        assert "open" not in answered["drift"]
        assert answered["drift"]["status"] == "ontask"
        assert answered["commitment"]["allowed_window_classes"] == ["code", "supertux"]

        taken_back = await client.request("disallow")
        assert taken_back["commitment"]["allowed_window_classes"] == ["code"]


async def test_refocus_clears_the_drift(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        served.judge.answer = lambda: Verdict(on_task=False, reason="a game")
        await client.request("start", next_action="write")
        await client.request("watch")
        served.sensor.focus("supertux", "SuperTux")
        while (await client.next_state())["drift"]["status"] != "drifting":
            pass
        state = await client.request("refocus")

    assert state["drift"]["status"] == "idle"
    assert "open" not in state["drift"]


async def test_a_display_is_remembered_when_the_sensor_looks_for_one(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        served.sensor.report(SensorHealth("auto", ok=False, detail="none", takes_display=True))
        for display in ("remote:0", ":x", ":4"):
            assert (await served.request("display", display=display))["sensor"]["name"] == "auto"
        await wait_all_tasks_blocked()

        assert [display.name for display in served.sensor.displays] == [":4"]
        assert last_display(served.store) == ":4"


def last_display(store: FakeSnapshotStore) -> str:
    display = store.saves[-1].display
    assert display is not None
    return display.name


async def test_a_session_is_finished_with_a_review(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.request("start", next_action="write")
        await served.request("complete")
        state = await served.request("review", outcome="partial", note="the second half is left")

    assert (state["runtime"], state["durable"]) == ("idle", True)
    closed = closed_review(served)
    assert closed == ("partial", "the second half is left")


def closed_review(served: Served) -> tuple[str | None, str]:
    review = served.store.saves[-1].last_review
    assert review is not None
    return review.outcome, review.note
