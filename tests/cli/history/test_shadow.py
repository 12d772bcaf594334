"""The report of what would have interrupted, beside what the person said themselves."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from antidriftd.core.recording_state import AnswerGiven, AnswerKind, Record, VerdictGiven
from tests.cli.conftest import Antidrift
from tests.cli.history.past import BEGAN, ended, stretches, write_history

pytestmark = pytest.mark.usefixtures("berlin")

BEGAN_AT = BEGAN.timestamp()


def judged(
    session: str, at: float, window_class: str, *, on_task: bool | None = False, shadow: bool = True
) -> VerdictGiven:
    return VerdictGiven(
        session_id=session,
        at=BEGAN_AT + at,
        window_class=window_class,
        title="",
        on_task=on_task,
        reason="",
        shadow=shadow,
    )


def said(session: str, at: float, window_class: str, kind: AnswerKind) -> AnswerGiven:
    return AnswerGiven(
        session_id=session,
        at=BEGAN_AT + at,
        kind=kind,
        window_class=window_class,
        title="",
        cause="",
    )


def over(session: str, days: int = 0) -> list[Record]:
    rows = stretches(session, ("code", 900.0, "ontask"))
    return [*rows, ended(rows, started=(BEGAN + timedelta(days=days)).timestamp())]


@pytest.fixture
def shadowed(state_dir: Path) -> Path:
    """Two days in the shadow, a day that was not, and a session that still runs."""
    write_history(
        state_dir,
        [
            judged("s1", 1, "mpv"),
            judged("s1", 2, "code", on_task=True),
            judged("s1", 3, "gimp", on_task=None),
            judged("s1", 4, "steam"),
            said("s1", 5, "mpv", "offtask"),
            said("s1", 6, "steam", "offtask"),
            said("s1", 7, "steam", "ontask"),
            said("s1", 8, "vlc", "offtask"),
            judged("s1", 9, "mpv"),
        ],
        over("s1"),
        [judged("s2", 1, "mpv"), said("s2", 0.5, "mpv", "ontask")],
        over("s2", days=1),
        [judged("s3", 1, "mpv", shadow=False)],
        over("s3", days=2),
        [judged("s4", 1, "mpv")],
    )
    return state_dir


@pytest.mark.usefixtures("shadowed")
def test_interruptions_are_counted_by_day_and_program_with_what_was_said(
    antidrift: Antidrift,
) -> None:
    code, out, err = antidrift("report", "--shadow", "--json")

    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["judged"], told["interruptions"]) == (6, 4)
    assert (told["called_on_task"], told["called_off_task"]) == (1, 1)
    assert [(each["class"], each["interruptions"]) for each in told["programs"]] == [
        ("mpv", 3),
        ("steam", 1),
    ]
    assert [
        (each["day"], each["judged"], each["interruptions"], each["called_off_task"])
        for each in told["days"]
    ] == [("2026-11-30", 5, 3, 1), ("2026-12-01", 1, 1, 0)]


@pytest.mark.usefixtures("shadowed")
def test_it_reads_well(antidrift: Antidrift) -> None:
    assert antidrift("report", "--shadow")[1].splitlines() == [
        "4 windows would have interrupted, of 6 judged",
        "you called 1 on task, 1 off task",
        "on:",
        "    3x  mpv  (you: 0 on task, 1 off task)",
        "    1x  steam  (you: 1 on task, 0 off task)",
        "by the day:",
        "  2026-11-30  3 of 5: mpv 2, steam 1  (you: 1 on task, 1 off task)",
        "  2026-12-01  1 of 1: mpv 1",
    ]


@pytest.mark.usefixtures("shadowed")
def test_a_period_leaves_out_what_began_before(antidrift: Antidrift) -> None:
    told = json.loads(antidrift("report", "--shadow", "--since", "2026-12-01", "--json")[1])

    assert (told["interruptions"], len(told["days"])) == (1, 1)


@pytest.mark.usefixtures("state_dir")
def test_without_a_history_it_says_how_to_have_one(antidrift: Antidrift) -> None:
    code, out, _ = antidrift("report", "--shadow")

    assert code == 0
    assert "drift.shadow = true" in out


@pytest.mark.usefixtures("state_dir")
@pytest.mark.parametrize("more", [("--csv",), ("--from", ".")])
def test_it_goes_with_no_other_shape(antidrift: Antidrift, more: tuple[str, ...]) -> None:
    assert antidrift("report", "--shadow", *more)[0] == 2


def test_hostile_names_do_no_harm(state_dir: Path, antidrift: Antidrift) -> None:
    write_history(state_dir, [judged("s1", 1, "\x1b[2J\u202e" + "日" * 300)], over("s1"))

    lines = antidrift("report", "--shadow")[1].splitlines()
    assert all(line.isprintable() and len(line) < 120 for line in lines)
