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
class Helpers:
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

    def __init__(self, helpers: Helpers) -> None:
        self._helpers = helpers
        self._judgments: dict[Key, Judgment] = {}

    async def answer(self, request: Request, rules: Rules) -> Answer:
        """Return the event that answers `request`; what goes wrong is a failure, never raised."""
        try:
            return await self._ask(request, rules)
        except (AdvisorError, TaskSourceError, KnowledgeError) as error:
            # What a program printed may quote a title, so it is shown but not logged.
            _log.debug("no answer: %s", error)
            return _failure(request, error)
        except Exception as error:
            _log.exception("%s failed", type(request).__name__)
            return _failure(request, error)

    async def _ask(self, request: Request, rules: Rules) -> Answer:
        helpers = self._helpers
        match request:
            case AskJudge() if helpers.judge is not None:
                return await self._judge(request, helpers.judge, rules)
            case AskCoach(intent=intent, grounding=grounding) if helpers.coach is not None:
                proposal = await helpers.coach.coach(intent, grounding)
                return CoachReturned(request.request, proposal)
            case AskNudger(commitment=commitment, digest=digest) if helpers.nudger is not None:
                text = await helpers.nudger.nudge(commitment, digest)
                return NudgeReturned(request.request, text)
            case LoadProfile(path=path) if helpers.knowledge is not None:
                return ProfileLoaded(request.request, await helpers.knowledge.load(path))
            case FetchTaskList() if helpers.tasks is not None:
                return TasksFetched(request.request, await helpers.tasks.fetch())
            case _:
                return _failure(request, AdvisorError("there is nobody to ask"))

    async def _judge(self, asked: AskJudge, judge: DriftJudge, rules: Rules) -> Answer:
        began, error = trio.current_time(), ""
        try:
            verdict = await judge.judge(asked.commitment, asked.window)
        except AdvisorError as failure:
            error = str(failure)
            raise
        finally:
            took = trio.current_time() - began
            sent = judge.text_for(asked.commitment, asked.window)
            self._remember(key_of(asked.window, rules), Judgment(judge.name, sent, took, error))
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
        judge = self._helpers.judge
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
            path = error.path if isinstance(error, KnowledgeError) else request.path
            return ProfileFailed(request.request, path)
        case FetchTaskList():
            return TasksFailed(request.request, detail)
        case _:
            assert_never(request)
