"""The State as lines for a person."""

from typing import assert_never

from antidrift_cli.allowances import allowances, condemned
from antidrift_cli.durations import format_secs
from antidrift_cli.render_learning import learning_lines
from antidrift_cli.render_planning import planning_lines, tasks_lines
from antidrift_cli.render_presence import presence_lines
from antidrift_cli.render_time import length_secs, local_time, time_left
from antidrift_cli.table import pad
from antidrift_cli.visible import columns_of, cut
from protocol.views import Commitment, Drift, Evidence, State, Subject, Window

_TITLE_COLUMNS = 72
_CLASS_COLUMNS = 32
_REASON_COLUMNS = 200
_START_WHAT = "antidrift start WHAT"
_ANSWERS = "answer: antidrift ontask (it belongs) or antidrift refocus (back to it)"


def status_lines(state: State) -> list[str]:
    """Return the whole of `state`, each line led by a word that says what it is."""
    return [
        phase_line(state),
        *planning_lines(state),
        *tasks_lines(state),
        *_session_lines(state),
        *presence_lines(state),
        *window_lines(state),
        *drift_lines(state),
        *nudge_lines(state),
        *_evidence_lines(state),
        *sensor_lines(state),
        *learning_lines(state),
        *notice_lines(state),
        *saving_lines(state),
    ]


def phase_line(state: State) -> str:
    """Return the runtime state and what it is about."""
    match state.runtime:
        case "idle":
            return "idle: nothing planned; begin with: antidrift plan WHAT"
        case "planning":
            begin = "antidrift start" if state.intent or _is_proposed(state) else _START_WHAT
            return f"planning: {state.intent or 'no intent yet'}; begin with: {begin}"
        case "active" | "review":
            return f"{state.runtime}: {action_of(state)}"
        case _:
            assert_never(state.runtime)


def _is_proposed(state: State) -> bool:
    return state.coach is not None and state.coach.proposal is not None


def action_of(state: State) -> str:
    """Return what the person set out to do: the next action, before there is one the intent."""
    return state.commitment.next_action if state.commitment else state.intent


def window_lines(state: State) -> list[str]:
    """Return the window in front."""
    if state.window:
        return [f"window: {window_text(state.window)}"]
    return ["window: none"] if state.sensor.status == "ok" else []


def drift_lines(state: State) -> list[str]:
    """Return what is held of the window in front, and the drift that nobody answered.

    While nobody is there, nothing is held of what is in front.
    """
    drift = state.drift
    if not drift or (state.commitment and state.commitment.stale):
        return []
    if state.away:
        return _open_drift_lines(drift, "unanswered")
    if (
        drift.status == "drifting"
        and drift.open_drift
        and drift.open_drift.subject == drift.subject
    ):
        return [f"drift: {_verdict(drift)}", _ANSWERS]
    label = "earlier" if drift.status == "ontask" else "unanswered"
    return [f"drift: {_verdict(drift)}", *_open_drift_lines(drift, label)]


def nudge_lines(state: State) -> list[str]:
    """Return the line about how the session goes."""
    return [f"nudge: {cut(state.nudge.text, _REASON_COLUMNS)}"] if state.nudge else []


def sensor_lines(state: State) -> list[str]:
    """Return why windows can't be seen, if they can't."""
    if state.sensor.status == "ok":
        return []
    why = state.sensor.detail or "no reason given"
    return [f"sensor: can't see your windows ({state.sensor.name}: {why})"]


def notice_lines(state: State) -> list[str]:
    """Return what the daemon wants to be known."""
    return [f"notice: {each}" for each in state.notices]


def summary_lines(state: State) -> list[str]:
    """Return where a session's time went."""
    evidence = state.evidence
    if not evidence:
        return []
    took = format_secs(length_secs(evidence))
    planned = format_secs(state.commitment.timebox_secs) if state.commitment else "nothing"
    rows = [each for each in evidence.by_class if round(each.secs)]
    names = [cut(each.window_class, _CLASS_COLUMNS) or "no program seen" for each in rows]
    widest = max(map(columns_of, names), default=0)
    return [
        f"time: planned {planned}, took {took}",
        f"spent: {_spent(evidence)}",
        f"window switches: {evidence.switches}, drifts: {evidence.drift_episodes}",
        *(
            f"  {pad(name, widest)}  {_bucket(each.status)} {format_secs(each.secs)}"
            for name, each in zip(names, rows, strict=True)
        ),
    ]


def window_text(window: Window | Subject) -> str:
    """Return a window's class and title, cut short."""
    name = cut(window.window_class, _CLASS_COLUMNS) or "unnamed program"
    return f"{name}: {cut(window.title, _TITLE_COLUMNS)}"


def started_lines(state: State) -> list[str]:
    """Return what a session that has just started holds the person to."""
    commitment = state.commitment
    if not commitment:
        return ["started"]
    allowed = _allowed_lines(state)
    return [
        f"started: {_planned_text(commitment)}",
        *_goal_lines(commitment),
        *(allowed or ["allowed: nothing yet; when a window belongs to it: antidrift ontask"]),
    ]


def _planned_text(commitment: Commitment) -> str:
    return (
        f"{commitment.next_action} "
        f"({format_secs(commitment.timebox_secs)}, until {local_time(commitment.ends_at)})"
    )


def _session_lines(state: State) -> list[str]:
    commitment = state.commitment
    if not commitment or state.runtime != "active":
        return []
    planned = format_secs(commitment.timebox_secs)
    lines = [*_goal_lines(commitment), f"time: {time_left(state)}, {planned} planned"]
    if commitment.stale:
        lines.append(
            "stale: this session was left behind, so nothing is judged or counted; "
            "go on with: antidrift extend 25m, or end it with: antidrift complete"
        )
    return lines + _allowed_lines(state)


def _goal_lines(commitment: Commitment) -> list[str]:
    return [f"done when: {commitment.success_condition}"] if commitment.success_condition else []


def _allowed_lines(state: State) -> list[str]:
    allowed = ", ".join(str(each) for each in allowances(state))
    off_task = ", ".join(str(each) for each in condemned(state))
    return [f"allowed: {allowed}"] * bool(allowed) + [f"off task: {off_task}"] * bool(off_task)


def _verdict(drift: Drift) -> str:
    reason = f" ({cut(drift.reason, _REASON_COLUMNS)})" if drift.reason else ""
    match drift.status:
        case "ontask":
            return f"on task{reason}"
        case "drifting":
            return f"drifting{reason}"
        case "pending":
            return "being judged"
        case "idle":
            return f"not judged{reason}"
        case _:
            assert_never(drift.status)


def _open_drift_lines(drift: Drift, label: str) -> list[str]:
    if not drift.open_drift:
        return []
    reason = cut(drift.open_drift.reason, _REASON_COLUMNS) or "no reason given"
    return [f"{label}: drifted to {window_text(drift.open_drift.subject)} ({reason})", _ANSWERS]


def _evidence_lines(state: State) -> list[str]:
    if not state.evidence:
        return []
    if state.runtime == "review":
        return [*summary_lines(state), "close it with: antidrift review"]
    return [f"so far: {_spent(state.evidence)}"]


def saving_lines(state: State) -> list[str]:
    """Return that the disk doesn't hold everything yet, if so."""
    return [] if state.durable else ["saving: not everything is on disk yet"]


def _spent(evidence: Evidence) -> str:
    return (
        f"on task {format_secs(evidence.ontask_secs)}, "
        f"drift {format_secs(evidence.drift_secs)}, "
        f"unjudged {format_secs(evidence.unjudged_secs)}, "
        f"away {format_secs(evidence.away_secs)}"
    )


def _bucket(status: str) -> str:
    return "on task" if status == "ontask" else status
