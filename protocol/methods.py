"""The methods of the daemon: the shape of each one's params, all by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from protocol.errors import RpcError
from protocol.jsonrpc import MESSAGE_LIMIT, Request

Outcome = Literal["done", "partial", "dropped"]


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Params of a method; a null stands for a member that is left out.

    Only shapes are checked here (-32602). Ranges, lengths and forbidden characters are the
    daemon's to judge (`invalid_value`).
    """


class NoParams(Params, frozen=True, kw_only=True):
    """Params of a method that takes none."""


class PlanParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `plan`: an intent, or a task of the list that `tasks` gets."""

    intent: str | None = None
    task_id: str | None = None


class CoachParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `coach`."""

    intent: str | None = None


class KnowledgePathParams(Params, frozen=True, kw_only=True):
    """Params of `knowledge_path`; an empty path is the default again."""

    path: str


class WhyParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `why`; a preview tells what would be sent, and sends nothing."""

    preview: bool = False


class UnlearnParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `unlearn`: numbers that `learned` told, window classes, or everything."""

    numbers: tuple[int, ...] = ()
    window_classes: tuple[str, ...] = ()
    everything: bool = False


class StartParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `start`; None takes the default, an empty list allows nothing."""

    next_action: str | None = None
    success_condition: str | None = None
    timebox_secs: int | None = None
    allowed_window_classes: tuple[str, ...] | None = None
    allowed_window_titles: tuple[str, ...] | None = None


class AnswerParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `ontask` and `disallow`; with neither it is about what drift points at."""

    window_class: str | None = None
    window_title: str | None = None


class RefocusParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `refocus`: what led the person away, in their words."""

    because: str | None = None


class ExtendParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `extend`: a length, or with `away` that of the last absence, or both."""

    secs: int | None = None
    away: bool = False


class ReviewParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `review`."""

    outcome: Outcome | None = None
    note: str | None = None


class DisplayParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `display`: an X display that the daemon may watch."""

    display: str
    xauthority: str | None = None
    session_type: str | None = None


class CaptureParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `capture`: what the person typed."""

    text: str
    decision: bool = False
    unsure: bool = False


class ForgetParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `knowledge_forget`: an input's id, or the beginning of it, or a session's id."""

    input: str = ""
    session: str = ""


class HarvestParams(Params, frozen=True, kw_only=True, omit_defaults=True):
    """Params of `harvest_start`."""

    include_incomplete: bool = False


class RunParams(Params, frozen=True, kw_only=True):
    """Params of what is done with one run."""

    run: str


class RejectParams(Params, frozen=True, kw_only=True):
    """Params of `harvest_reject`."""

    run: str
    reason: str


class RebindParams(Params, frozen=True, kw_only=True):
    """Params of `harvest_rebind`: a run or an input, and the node that it goes to."""

    target: str
    to: str


class Method(NamedTuple):
    """One method: the type of its params and what it does, in a line."""

    params: type[Params]
    summary: str


METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "state": Method(NoParams, "returns the State"),
        "info": Method(NoParams, "tells what this daemon is"),
        "watch": Method(NoParams, "returns the State, then notifies of each new one"),
        "plan": Method(PlanParams, "enters planning with an intent"),
        "coach": Method(CoachParams, "asks the coach to make a contract of the intent"),
        "tasks": Method(NoParams, "gets today's tasks"),
        "knowledge_path": Method(KnowledgePathParams, "chooses the profile for this run"),
        "start": Method(StartParams, "starts a session with a commitment"),
        "ontask": Method(AnswerParams, "says that a window serves the commitment"),
        "offtask": Method(NoParams, "says that a window is no part of the task"),
        "disallow": Method(AnswerParams, "takes an allowance back"),
        "refocus": Method(RefocusParams, "admits the drift and clears it"),
        "extend": Method(ExtendParams, "gives the session more time"),
        "pause": Method(NoParams, "stops the time and the judging"),
        "resume": Method(NoParams, "lets both go on, the end later by the pause"),
        "why": Method(WhyParams, "explains the last verdict"),
        "learned": Method(NoParams, "tells what was learned from the answers of past sessions"),
        "unlearn": Method(UnlearnParams, "takes what was learned out of the history"),
        "config": Method(NoParams, "tells the settings in force and where each came from"),
        "doctor": Method(NoParams, "has the daemon look at its own parts"),
        "complete": Method(NoParams, "ends the session and opens its review"),
        "review": Method(ReviewParams, "closes the review"),
        "cancel": Method(NoParams, "leaves planning"),
        "knowledge_where": Method(NoParams, "tells where the profile and the evidence lie"),
        "knowledge_status": Method(NoParams, "looks at bindings, bases and runs"),
        "capture": Method(CaptureParams, "keeps what the person typed as evidence"),
        "knowledge_forget": Method(ForgetParams, "deletes evidence for ever"),
        "harvest_start": Method(HarvestParams, "has pending evidence judged"),
        "harvest_run": Method(RunParams, "tells where a run stands"),
        "harvest_accept": Method(RunParams, "delivers a proposal"),
        "harvest_reject": Method(RejectParams, "closes a run"),
        "harvest_retry": Method(RunParams, "goes on with a run that failed or was held"),
        "harvest_rejudge": Method(RunParams, "judges anew, in the place of a closed run"),
        "harvest_refresh": Method(NoParams, "looks again at what was delivered"),
        "harvest_rebind": Method(RebindParams, "sends evidence to another node"),
        "display": Method(DisplayParams, "offers an X display to a daemon that has none"),
    }
)

P = TypeVar("P", bound=Params)


def decode_params(kind: type[P], request: Request) -> P:
    """Return the params of `request` as `kind`.

    Raises:
        RpcError: `invalid_params`, with the member at fault. An empty array counts as no params.
    """
    raw = b"" if request.params is msgspec.UNSET else bytes(request.params)
    if raw.startswith(b"["):
        if raw[1:-1].strip():
            raise RpcError("invalid_params", f"{request.method}: params are taken by name only")
        raw = b""
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{request.method}: {error}"
        raise RpcError("invalid_params", message[:MESSAGE_LIMIT]) from error
