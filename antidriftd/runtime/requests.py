"""Asks the advisor, the task list and the profile, and turns what comes back into events."""

import logging
from dataclasses import dataclass
from typing import assert_never

import trio

from antidriftd.adapters.advisor.port import AdvisorError, Coach, DriftJudge, Nudger
from antidriftd.adapters.knowledge.port import KnowledgeError, KnowledgeSource
from antidriftd.adapters.tasks.port import TaskSource, TaskSourceError
from antidriftd.core.drift.page_key import Key, key_of
from antidriftd.core.effects import (
    AskCoach,
    AskJudge,
    AskNudger,
    FetchTaskList,
    LoadProfile,
    Request,
)
from antidriftd.core.events import (
    Answer,
    CoachFailed,
    CoachReturned,
    JudgmentFailed,
    JudgmentReturned,
    NudgeFailed,
    NudgeReturned,
    ProfileFailed,
    ProfileLoaded,
    TasksFailed,
    TasksFetched,
)
from antidriftd.core.model import Commitment, Window
from antidriftd.core.rules import Rules

_log = logging.getLogger(__name__)

_MAX_JUDGMENTS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Whom the daemon asks; None where there is nobody."""

    judge: DriftJudge | None = None
    coach: Coach | None = None
    nudger: Nudger | None = None
    tasks: TaskSource | None = None
    knowledge: KnowledgeSource | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a judge was sent, and how long it took."""

    backend: str
    sent: str
    took_secs: float
    error: str = ""


class Requests:
    """Serves the core's requests; remembers the judgments, so that a verdict can be explained."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._judgments: dict[Key, Judgment] = {}

    async def answer(self, request: Request, rules: Rules) -> Answer:
        """Return the event that answers `request`; what goes wrong is a failure, never raised."""
        try:
            return await self._ask(request, rules)
        except (AdvisorError, TaskSourceError, KnowledgeError) as error:
            # Not logged, but shown: what a program printed may quote a title or the profile.
            return _failure(request, error)
        except Exception as error:
            _log.exception("%s failed", type(request).__name__)
            return _failure(request, error)

    async def _ask(self, request: Request, rules: Rules) -> Answer:
        sources = self._sources
        match request:
            case AskJudge() if sources.judge is not None:
                return await self._judge(request, sources.judge, rules)
            case AskCoach(intent=intent, grounding=grounding) if sources.coach is not None:
                proposal = await sources.coach.coach(intent, grounding)
                return CoachReturned(request.request, proposal)
            case AskNudger(commitment=commitment, digest=digest) if sources.nudger is not None:
                text = await sources.nudger.nudge(commitment, digest)
                return NudgeReturned(request.request, text)
            case LoadProfile(path=path) if sources.knowledge is not None:
                return ProfileLoaded(request.request, await sources.knowledge.load(path))
            case FetchTaskList() if sources.tasks is not None:
                return TasksFetched(request.request, await sources.tasks.fetch())
            case _:
                return _failure(request, AdvisorError("there is nobody to ask"))

    async def _judge(self, asked: AskJudge, judge: DriftJudge, rules: Rules) -> Answer:
        sent, began = judge.text_for(asked.commitment, asked.window), trio.current_time()
        key = key_of(asked.window, rules)
        try:
            verdict = await judge.judge(asked.commitment, asked.window)
        except Exception as error:
            took = trio.current_time() - began
            self._remember(key, Judgment(judge.name, sent, took, str(error)))
            raise
        self._remember(key, Judgment(judge.name, sent, trio.current_time() - began))
        return JudgmentReturned(asked.request, verdict)

    def _remember(self, key: Key, judgment: Judgment) -> None:
        self._judgments.pop(key, None)
        self._judgments[key] = judgment
        if len(self._judgments) > _MAX_JUDGMENTS:
            del self._judgments[next(iter(self._judgments))]

    def judgment(self, key: Key) -> Judgment | None:
        """Return the last judgment on `key`."""
        return self._judgments.get(key)

    def preview(self, commitment: Commitment, window: Window) -> Judgment:
        """Return what a judge would be sent about `window`, with nobody asked."""
        judge = self._sources.judge
        if judge is None:
            return Judgment("none", "", 0.0)
        return Judgment(judge.name, judge.text_for(commitment, window), 0.0)


def _failure(request: Request, error: Exception) -> Answer:
    detail = str(error) or type(error).__name__
    match request:
        case AskJudge():
            return JudgmentFailed(request.request, detail)
        case AskCoach():
            return CoachFailed(request.request, detail)
        case AskNudger():
            return NudgeFailed(request.request, detail)
        case LoadProfile():
            if isinstance(error, KnowledgeError):
                return ProfileFailed(request.request, error.path, error.code)
            return ProfileFailed(request.request, request.path)
        case FetchTaskList():
            return TasksFailed(request.request, detail)
        case _:
            assert_never(request)
