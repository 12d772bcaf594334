"""A whole session on a real display: plan, work, drift, answer, complete, review."""

from collections.abc import Callable
from pathlib import Path

from tests.daemons import State
from tests.e2e.desk import Desk, open_desk


def _in_front(window_class: str, status: str) -> Callable[[State], bool]:
    def is_wanted(state: State) -> bool:
        seen = (state.get("window", {}).get("class"), state["drift"]["status"])
        return seen == (window_class, status)

    return is_wanted


async def _start(desk: Desk) -> None:
    planned = await desk.antidrift("plan", "write", "the", "report")
    assert (planned["runtime"], planned["intent"]) == ("planning", "write the report")
    started = await desk.antidrift("start", "-a", "demo-editor", "-s", "two pages", "-t", "25m")
    assert started["runtime"] == "active"
    assert started["durable"] is True
    assert started["commitment"]["next_action"] == "write the report"
    assert started["commitment"]["allowed_window_classes"] == ["demo-editor"]
    assert started["commitment"]["timebox_secs"] == 1500


async def test_a_session_from_plan_to_review(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk, desk.watching() as watched:
        await _start(desk)

        desk.show("demo-editor", "report.md")
        await desk.wait_status(_in_front("demo-editor", "ontask"))
        assert desk.asked() == []

        desk.show("Calculator", "Calculator")
        await desk.wait_status(_in_front("Calculator", "idle"))
        drifting = await desk.wait_status(_in_front("Calculator", "drifting"))
        assert drifting["drift"]["reason"] == "a side trip"
        assert drifting["drift"]["open"]["subject"]["class"] == "Calculator"
        assert len(desk.asked()) == 1

        await desk.open_terminal()
        at_the_shell = await desk.antidrift("status")
        assert at_the_shell["drift"]["status"] == "idle"
        assert at_the_shell["drift"]["open"]["subject"]["class"] == "Calculator"
        await desk.type_line("antidrift ontask")
        answered = await desk.wait_status(
            lambda state: "Calculator" in state["commitment"]["allowed_window_classes"]
        )
        assert answered["commitment"]["allowed_window_classes"] == ["demo-editor", "Calculator"]
        assert "open" not in answered["drift"]
        assert answered["window"]["class"] == "XTerm"
        assert len(desk.asked()) == 1

        completed = await desk.antidrift("complete")
        assert completed["runtime"] == "review"
        evidence = completed["evidence"]
        assert evidence["drift_episodes"] == 1
        assert evidence["ontask_secs"] > 0 < evidence["drift_secs"]
        closed = await desk.antidrift("review", "--outcome", "done", "--note", "two pages")
        assert closed["runtime"] == "idle"

    _saw_it_all(watched)


def _saw_it_all(watched: list[State]) -> None:
    revisions = [state["revision"] for state in watched]
    assert revisions == sorted(set(revisions))
    seen = [
        (state["runtime"], state.get("window", {}).get("class"), state["drift"]["status"])
        for state in watched
        if state["runtime"] == "active"
    ]
    wanted = [
        ("active", "demo-editor", "ontask"),
        ("active", "Calculator", "idle"),
        ("active", "Calculator", "pending"),
        ("active", "Calculator", "drifting"),
        ("active", "XTerm", "idle"),
    ]
    steps = iter(seen)
    assert all(any(step == state for state in steps) for step in wanted), seen
    runtimes = [state["runtime"] for state in watched]
    assert list(dict.fromkeys(runtimes)) == ["idle", "planning", "active", "review"]
    assert runtimes[-1] == "idle"


async def test_ontask_about_a_browser_allows_the_page_alone(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await _start(desk)
        desk.show("firefox", "(3) Cat pictures — Mozilla Firefox")
        await desk.wait_status(_in_front("firefox", "drifting"))
        await desk.open_terminal()
        await desk.type_line("antidrift ontask")
        answered = await desk.wait_status(
            lambda state: bool(state["commitment"]["allowed_window_titles"])
        )
        assert answered["commitment"]["allowed_window_titles"] == ["=cat pictures"]
        assert answered["commitment"]["allowed_window_classes"] == ["demo-editor"]

        desk.show("firefox", "Cat pictures — Mozilla Firefox")
        await desk.wait_status(_in_front("firefox", "ontask"))
        desk.show("firefox", "Dog pictures — Mozilla Firefox")
        await desk.wait_status(_in_front("firefox", "idle"))


async def test_refocus_settles_the_drift_and_allows_nothing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await _start(desk)
        desk.show("Calculator", "Calculator")
        await desk.wait_status(_in_front("Calculator", "drifting"))
        await desk.open_terminal()
        await desk.type_line("antidrift refocus")
        settled = await desk.wait_status(lambda state: "open" not in state["drift"])
        assert settled["commitment"]["allowed_window_classes"] == ["demo-editor"]
        assert settled["commitment"]["allowed_window_titles"] == []


async def test_a_session_survives_a_killed_daemon(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await _start(desk)
        desk.show("firefox", "The manual — Mozilla Firefox")
        before = await desk.wait_status(_in_front("firefox", "ontask"))
        await desk.daemon.kill()
        await desk.daemon.start()
        after = await desk.wait_status(_in_front("firefox", "ontask"))
        assert after["commitment"] == before["commitment"]
        assert after["revision"] > before["revision"]
        assert len(desk.asked()) == 2
