"""What helps before a session as lines: the coach's proposal, the profile, the tasks."""

from typing import assert_never

from antidrift_cli.durations import format_secs
from antidrift_cli.profile_path import with_tilde
from antidrift_cli.visible import cut
from protocol.views import Proposal, State

_ERROR_COLUMNS = 300
_PATH_COLUMNS = 200
_CLASS_COLUMNS = 72


def planning_lines(state: State) -> list[str]:
    """Return what the coach says and who it says it to."""
    return coach_lines(state) + profile_lines(state)


def coach_lines(state: State) -> list[str]:
    """Return what the coach proposes, or why it does not; nothing if it wasn't asked."""
    coach = state.coach
    if not coach:
        return []
    match coach.status:
        case "idle":
            return []
        case "pending":
            return ["coach: asked, no answer yet"]
        case "ready":
            return _proposal_lines(coach.proposal, coach.backend) if coach.proposal else []
        case "error":
            return [f"coach: no proposal ({cut(coach.error, _ERROR_COLUMNS) or 'no reason given'})"]
        case _:
            assert_never(coach.status)


def profile_lines(state: State) -> list[str]:
    """Return whether a profile tells the coach who the person is; nothing outside planning."""
    profile = state.knowledge
    if not profile:
        return []
    match profile.status:
        case "idle":
            return []
        case "pending":
            return ["loading profile…"]
        case "ready":
            return [f"grounded by {cut(profile.path.rpartition('/')[2], _PATH_COLUMNS)}"]
        case "absent":
            return [f"no profile ({cut(with_tilde(profile.path), _PATH_COLUMNS)})"]
        case "error":
            return [f"profile unreadable{f' ({cut(profile.code, 40)})' if profile.code else ''}"]
        case _:
            assert_never(profile.status)


def tasks_lines(state: State) -> list[str]:
    """Return how many tasks today's list has."""
    tasks = state.tasks
    if not tasks:
        return []
    match tasks.status:
        case "idle":
            return []
        case "pending":
            return ["loading tasks…"]
        case "ready":
            count = len(tasks.items)
            return [f"{count} {'task' if count == 1 else 'tasks'}; antidrift tasks lists them"]
        case "empty":
            return ["no tasks for today"]
        case "error":
            return [f"tasks: {cut(tasks.error, _ERROR_COLUMNS) or 'no list, and no reason given'}"]
        case _:
            assert_never(tasks.status)


def _proposal_lines(proposal: Proposal, backend: str) -> list[str]:
    classes = ", ".join(cut(each, _CLASS_COLUMNS) for each in proposal.allowed_window_classes)
    lines = [f"proposal: {proposal.next_action} ({format_secs(proposal.timebox_secs)})"]
    if proposal.success_condition:
        lines.append(f"  done when: {proposal.success_condition}")
    if classes:
        lines.append(f"  allowed: {classes}")
    if backend == "local":
        lines.append("  from the built-in coach (local): your own words, and what you used before")
    return lines
