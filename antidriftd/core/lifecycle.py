"""The table of legal phase changes; `docs/architecture.md` draws it, a test holds them together."""

from collections.abc import Mapping
from types import MappingProxyType

from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import (
    AllowContext,
    CancelPlanning,
    CloseReview,
    Command,
    CompleteSession,
    CondemnContext,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    FetchTasks,
    OfferDisplay,
    PauseSession,
    Refocus,
    RequestCoach,
    ResumeSession,
    SelectProfile,
    StartSession,
)
from antidriftd.core.state import Active, Phase, PhaseName

_ANYWHERE: Mapping[PhaseName, PhaseName] = MappingProxyType(
    {"idle": "idle", "planning": "planning", "active": "active", "review": "review"}
)

LIFECYCLE: Mapping[type[Command], Mapping[PhaseName, PhaseName]] = MappingProxyType(
    {
        EnterPlanning: {"idle": "planning", "planning": "planning", "review": "planning"},
        RequestCoach: {"planning": "planning", "idle": "planning", "review": "planning"},
        FetchTasks: {"idle": "idle", "planning": "planning"},
        CancelPlanning: {"planning": "idle"},
        StartSession: {"planning": "active", "idle": "active", "review": "active"},
        AllowContext: {"active": "active"},
        CondemnContext: {"active": "active"},
        DisallowContext: {"active": "active"},
        Refocus: {"active": "active"},
        ExtendSession: {"active": "active"},
        PauseSession: {"active": "active"},
        ResumeSession: {"active": "active"},
        CompleteSession: {"active": "review"},
        CloseReview: {"review": "idle"},
        SelectProfile: _ANYWHERE,
        OfferDisplay: _ANYWHERE,
    }
)
"""From which phase a command is taken, and where it leads. Nothing else changes the phase."""

_ADVICE: Mapping[PhaseName, str] = MappingProxyType(
    {
        "idle": "nothing is planned; begin with `antidrift plan` or `antidrift start`",
        "planning": "no session is running yet; `antidrift start` begins it",
        "active": "a session is running; `antidrift complete` ends it",
        "review": "the last session waits for its review; `antidrift review` closes it",
    }
)


def require(command: Command, phase: PhaseName) -> PhaseName:
    """Return the phase that the command leads to.

    Raises:
        TransitionRefused: the command is not taken in this phase.
    """
    legal = LIFECYCLE[type(command)]
    if phase in legal:
        return legal[phase]
    needs_session = set(legal) == {"active"}
    raise TransitionRefused("not_active" if needs_session else "wrong_state", _ADVICE[phase])


def require_active(phase: Phase) -> Active:
    """Return the phase, known to be a running session.

    Raises:
        TransitionRefused: no session is running.
    """
    if isinstance(phase, Active):
        return phase
    raise TransitionRefused("not_active", _ADVICE[phase.name])
