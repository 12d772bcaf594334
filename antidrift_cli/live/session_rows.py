"""A session as rows: its time, the drift, the window in front, and where the time went."""

import math
from typing import Final, assert_never

from antidrift_cli.durations import format_secs
from antidrift_cli.live.counting import counted, secs_left
from antidrift_cli.live.rows import SPARE, Paper, Row
from antidrift_cli.render import window_text
from antidrift_cli.render_presence import away_text
from antidrift_cli.render_time import length_secs
from antidrift_cli.table import pad
from antidrift_cli.visible import columns_of
from protocol.views import ClassEvidence, Commitment, Drift, Evidence, State

_STYLES: Final = {"ontask": "green", "drift": "red", "unjudged": "", "away": ""}
_NAMES: Final = {"ontask": "on task", "drift": "drift", "unjudged": "unjudged", "away": "away"}

_MOST_CLASSES: Final = 10
_WIDEST_BAR: Final = 40
_SECS_COLUMNS: Final = 7  # 23h 59m


def goal_rows(paper: Paper, state: State) -> list[Row]:
    """Return when the session counts as done."""
    if not state.commitment or not state.commitment.success_condition:
        return []
    return paper.paragraph(7, f"done when: {state.commitment.success_condition}")


def time_rows(paper: Paper, state: State, now: float) -> list[Row]:
    """Return the countdown, the overtime, or that the session was left behind; and who is away."""
    left, commitment = secs_left(state, now), state.commitment
    if not commitment or state.runtime != "active":
        return []
    if left is None:
        return paper.paragraph(
            1,
            "stale: left behind, so nothing is judged or counted; + goes on, c ends it",
            "bold",
        )
    away = [paper.row(1, (away_text(state), "bold"))] if state.away else []
    planned = format_secs(commitment.timebox_secs)
    if left <= 0:
        over = format_secs(math.floor(-left))
        up = paper.row(1, ("time is up", "bold reverse"), (f": overtime {over} ({planned})", ""))
        return [up, *away]
    words = f"{format_secs(math.ceil(left))} left of {planned}"
    return [_countdown(paper, commitment, left, words), *away]


def drift_rows(paper: Paper, state: State) -> list[Row]:
    """Return the drift that nobody has answered; as past while what is in front is on task."""
    drift = state.drift
    if not drift or not drift.open_drift or secs_left(state, 0) is None:
        return []
    opened = drift.open_drift
    head, style = ("unanswered drift:", "bold") if state.away else _drift_head(drift)
    return [
        paper.row(2, (head, style), (f" {window_text(opened.subject)}", "")),
        *paper.paragraph(4, f"  why: {opened.reason or 'no reason given'}"),
        paper.row(5, ("  o it belongs to the task, r back to it", "")),
    ]


def window_rows(paper: Paper, state: State) -> list[Row]:
    """Return the window in front and what is held of it, unless the drift says all of that."""
    if _is_told_by_drift(state):
        return []
    in_front = window_text(state.window) if state.window else "none"
    rows = [paper.row(6, (f"window: {in_front}", ""))]
    if state.sensor.status == "unavailable" and not state.window:
        rows = []
    if not state.drift or secs_left(state, 0) is None:
        return rows
    return [*rows, paper.row(5, (f"  {_verdict(state, state.drift)}", ""))]


def evidence_rows(paper: Paper, state: State, now: float) -> list[Row]:
    """Return the share on task, the four sums, and a bar for each program."""
    evidence = counted(state, now)
    if not evidence:
        return []
    attended = length_secs(evidence) - evidence.away_secs
    share = evidence.ontask_secs / attended if attended else 0
    spent = f"{format_secs(evidence.ontask_secs)} of {format_secs(attended)}"
    others = (
        f"drift {format_secs(evidence.drift_secs)}, "
        f"unjudged {format_secs(evidence.unjudged_secs)}, away {format_secs(evidence.away_secs)}"
    )
    return [
        paper.row(8, (f"on task: {math.floor(100 * share)} %", "bold"), (f" ({spent})", "")),
        paper.row(11, (f"  {others}", "")),
        *_class_rows(paper, evidence),
    ]


def review_rows(paper: Paper, state: State) -> list[Row]:
    """Return how long a session took that is over."""
    if state.runtime != "review" or not state.evidence or not state.commitment:
        return []
    planned = format_secs(state.commitment.timebox_secs)
    took = format_secs(length_secs(state.evidence))
    switches, drifts = state.evidence.switches, state.evidence.drift_episodes
    return [
        paper.row(3, (f"time: planned {planned}, took {took}", "")),
        paper.row(9, (f"window switches: {switches}, drifts: {drifts}", "")),
    ]


def _countdown(paper: Paper, commitment: Commitment, left: float, words: str) -> Row:
    length = (commitment.ends_at - commitment.started_at).total_seconds()
    columns = min(_WIDEST_BAR, paper.look.columns - columns_of(words) - 1)
    if columns < 1:
        return paper.row(1, (words, "bold"))
    bar = paper.look.bar(left / length if length > 0 else 0, columns)
    return paper.row(1, (f"{bar:{paper.look.track}<{columns}} ", ""), (words, "bold"))


def _drift_head(drift: Drift) -> tuple[str, str]:
    match drift.status:
        case "drifting" if _is_open_one(drift):
            return " DRIFTING ", "bold red reverse"
        case "ontask":
            return "earlier, unanswered:", ""
        case "drifting" | "idle" | "pending":
            return "UNANSWERED DRIFT", "bold red"
        case _:
            assert_never(drift.status)


def _is_open_one(drift: Drift) -> bool:
    """Return whether the drift in front is the open one, which is shown with its reason."""
    return drift.open_drift is not None and drift.subject == drift.open_drift.subject


def _is_told_by_drift(state: State) -> bool:
    drift, window = state.drift, state.window
    if not drift or not window or drift.status != "drifting" or not _is_open_one(drift):
        return False
    if secs_left(state, 0) is None or not drift.subject:
        return False
    return window_text(window) == window_text(drift.subject)


def _verdict(state: State, drift: Drift) -> str:
    if state.away:
        return (
            "not judged: paused" if state.away.reason == "paused" else "not judged: nobody is there"
        )
    reason = f": {drift.reason}" if drift.reason else ""
    match drift.status:
        case "ontask":
            return f"on task{reason}"
        case "drifting":
            return "drifting" if _is_open_one(drift) else f"drifting{reason}"
        case "pending":
            return "being judged"
        case "idle":
            return f"not judged{reason or _why_not(state)}"
        case _:
            assert_never(drift.status)


def _why_not(state: State) -> str:
    """Return why nothing is held of what is in front, as far as a State tells."""
    if state.sensor.status == "unavailable":
        return ": your windows can't be seen"
    return " yet" if state.window else ": no window is in front"


def _class_rows(paper: Paper, evidence: Evidence) -> list[Row]:
    shown = [each for each in evidence.by_class if round(each.secs)][:_MOST_CLASSES]
    if not shown:
        return []
    most = shown[0].secs
    names = [
        paper.look.fit(each.window_class or "no program seen", paper.look.columns // 3)
        for each in shown
    ]
    widest = max(map(columns_of, names))
    return [
        _class_row(paper, SPARE + at, pad(name, widest), each, most)
        for at, (name, each) in enumerate(zip(names, shown, strict=True))
    ]


def _class_row(paper: Paper, rank: int, name: str, each: ClassEvidence, most: float) -> Row:
    figures = f"{_NAMES[each.status]:8} {format_secs(each.secs):>{_SECS_COLUMNS}}"
    columns = min(_WIDEST_BAR, paper.look.columns - columns_of(name) - len(figures) - 4)
    bar = paper.look.bar(each.secs / most, max(0, columns), each.status)
    return paper.row(
        rank, (f"  {name} ", ""), (figures, ""), (" ", ""), (bar, _STYLES[each.status])
    )
