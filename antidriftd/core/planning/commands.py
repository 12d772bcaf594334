"""What is decided before a session: entering planning, asking the coach, fetching what helps."""

from antidriftd.core import texts
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import EnterPlanning, RequestCoach
from antidriftd.core.knowledge.refs import NODE_PREFIX
from antidriftd.core.notices import ADVISOR_TOPIC, TASKS_TOPIC, text_about
from antidriftd.core.planning_state import Coaching, Grounding, TaskList
from antidriftd.core.replacing import replace
from antidriftd.core.state import Planning, State

MAX_PATH_CHARS = 4096


def enter_planning(state: State, command: EnterPlanning) -> State:
    """Return the state with an intent planned; a new one drops what the coach said of the last.

    Raises:
        TransitionRefused: the intent is no good, or there is no such task.
    """
    if command.task_id is not None and command.intent is not None:
        message = "give an intent or a task, not both"
        raise TransitionRefused("invalid_value", message)
    if command.task_id is not None:
        return _plan(state, _task_title(state.tasks, command.task_id))
    if command.intent is not None:
        return _plan(state, texts.checked_text("the intent", command.intent))
    return _plan(state, state.phase.intent if isinstance(state.phase, Planning) else "")


def _plan(state: State, intent: str) -> State:
    if not isinstance(state.phase, Planning):
        return prepare_planning(replace(state, phase=Planning(intent)))
    if intent == state.phase.intent:
        return state
    return replace(state, phase=Planning(intent))


def prepare_planning(state: State) -> State:
    """Return the state with profile and tasks under way, as planning begins or is taken up."""
    return _fetch_tasks(load_profile(state), asked=False)


def _task_title(tasks: TaskList, task_id: str) -> str:
    wanted = task_id.strip()
    named = {task.id: task for task in tasks.items}
    named |= {f"{task.source}:{task.id}": task for task in tasks.items}
    named |= {str(number): task for number, task in enumerate(tasks.items, start=1)}
    if wanted in named:
        return texts.checked_text("the task", named[wanted].title)
    shown = wanted[:60]
    raise TransitionRefused(
        "invalid_value", f"there is no task {shown!r} in the list; `antidrift tasks` shows it"
    )


def request_coach(state: State, command: RequestCoach) -> State:
    """Return the state with the coach asked, in place of an earlier question to it.

    Raises:
        TransitionRefused: there is nothing to ask about, or nobody to ask.
    """
    if command.intent is None and not isinstance(state.phase, Planning):
        message = "say what you would like to get done: `antidrift coach INTENT`"
        raise TransitionRefused("wrong_state", message)
    if not state.rules.has_coach:
        message = "there is no advisor to coach you; `antidriftd --ai` or ai.backend names one"
        raise TransitionRefused("unavailable", text_about(state, ADVISOR_TOPIC) or message)
    plans_first = not isinstance(state.phase, Planning)
    state = enter_planning(state, EnterPlanning(command.intent))
    planning = state.phase
    if not isinstance(planning, Planning) or not planning.intent:
        message = "the plan is empty; say what you would like to get done: `antidrift coach INTENT`"
        raise TransitionRefused("invalid_value", message)
    coaching = Coaching("pending", request=state.next_request, awaits_profile=plans_first)
    return replace(
        state,
        phase=replace(planning, coaching=coaching),
        next_request=state.next_request + 1,
    )


def fetch_tasks(state: State) -> State:
    """Return the state with a fresh list under way.

    Raises:
        TransitionRefused: no task list is configured.
    """
    if not state.rules.has_tasks:
        message = "no task list is set up; name one with tasks.source in config.toml"
        raise TransitionRefused("unavailable", text_about(state, TASKS_TOPIC) or message)
    return _fetch_tasks(state, asked=True)


def _fetch_tasks(state: State, *, asked: bool) -> State:
    if not state.rules.has_tasks:
        return state
    pending = TaskList(
        "pending",
        request=state.next_request,
        items=state.tasks.items,
        asked=asked or state.tasks.asked,
    )
    return replace(state, tasks=pending, next_request=state.next_request + 1)


def select_profile(state: State, path: str) -> State:
    """Return the state with another profile chosen for this run of the daemon; "" is the default.

    Raises:
        TransitionRefused: it is no path that means the same to everybody, or none is ever read.
    """
    if not state.rules.has_knowledge:
        message = "the profile is turned off (knowledge.enabled in config.toml)"
        raise TransitionRefused("unavailable", message)
    if path and not path.startswith(("/", "~/", NODE_PREFIX)):
        message = "the profile's path must be absolute or begin with `~/` or `node:`"
        raise TransitionRefused("invalid_value", message)
    chosen = path and texts.checked_text("the profile's path", path, max_chars=MAX_PATH_CHARS)
    state = replace(state, profile_path=chosen)
    return load_profile(state) if isinstance(state.phase, Planning) else state


def load_profile(state: State) -> State:
    """Return the state with the profile being read anew."""
    if not state.rules.has_knowledge:
        return state
    pending = Grounding("pending", request=state.next_request, path=state.profile_path)
    return replace(state, grounding=pending, next_request=state.next_request + 1)


def leave_planning(state: State, *, shows_tasks: bool) -> State:
    """Return the state without the profile, and without the tasks unless idle goes on with them."""
    return replace(state, grounding=Grounding(), tasks=state.tasks if shows_tasks else TaskList())
