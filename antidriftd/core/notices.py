"""The lines that every surface shows until their reason is gone."""

from collections.abc import Iterable

from antidriftd.core.model import Allowance
from antidriftd.core.replacing import replace
from antidriftd.core.state import Notice, State

MAX_NOTICES = 20
ADVISOR_TOPIC = "advisor"
ABSENCE_TOPIC = "absence"
HISTORY_TOPIC = "history"
JUDGE_TOPIC = "judge"
PAUSE_TOPIC = "pause"
SAVING_TOPIC = "saving"
TASKS_TOPIC = "tasks"
UNREADABLE_TOPIC = "unreadable history"


def notify(state: State, topic: str, text: str, *, is_event: bool = False) -> State:
    """Return the state with this notice in place of an earlier one on its topic."""
    notice = Notice(topic, text, is_event)
    if any((entry.topic, entry.text) == (topic, text) for entry in state.notices):
        return state
    others = [entry for entry in state.notices if entry.topic != topic]
    return replace(state, notices=(*others[-MAX_NOTICES + 1 :], notice))


def withdraw(state: State, topic: str) -> State:
    """Return the state without the notice on this topic."""
    if all(notice.topic != topic for notice in state.notices):
        return state
    return replace(state, notices=tuple(n for n in state.notices if n.topic != topic))


def text_about(state: State, topic: str) -> str:
    """Return the notice on this topic, empty when there is none."""
    return next((notice.text for notice in state.notices if notice.topic == topic), "")


def mark_told(state: State) -> State:
    """Return the state after a command's reply has told every notice."""
    return replace(state, notices=tuple(replace(n, told=True) for n in state.notices))


def drop_told_events(state: State) -> State:
    """Return the state without the events that were told."""
    kept = tuple(notice for notice in state.notices if not (notice.is_event and notice.told))
    return replace(state, notices=kept)


def warn_of_browsers(state: State, allowances: Iterable[Allowance]) -> State:
    """Return the state with a warning when a browser is allowed as a whole."""
    for entry in allowances:
        if entry.kind == "class" and entry.value.casefold() in state.rules.browsers:
            text = (
                f"{entry.value} is a browser: every page in it now counts as on task "
                f"(`antidrift disallow --class {entry.value}` takes it back)"
            )
            state = notify(state, _browser_topic(entry), text)
    return state


def forget_browsers(state: State, allowances: Iterable[Allowance]) -> State:
    """Return the state without the warning of those that are no longer allowed."""
    for entry in allowances:
        if entry.kind == "class":
            state = withdraw(state, _browser_topic(entry))
    return state


def _browser_topic(entry: Allowance) -> str:
    return f"browser:{entry.value.casefold()}"
