"""Whom the daemon asks, and who learns from the answers.

What only some settings ask for is imported where it is made: few daemons need it, and it would cost
the others a tenth of their memory.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from antidriftd.adapters.advisor.commitment_kind import kinds_by
from antidriftd.adapters.advisor.experienced import ExperiencedCoach, ExperiencedDriftJudge
from antidriftd.adapters.advisor.local.later import LaterCoach, LaterDriftJudge
from antidriftd.adapters.advisor.port import DriftJudge
from antidriftd.adapters.advisor.semantic.installed import require_extra
from antidriftd.adapters.custody.bases import FileBases
from antidriftd.adapters.evidence.files import FileEvidence
from antidriftd.adapters.knowledge.file import expanded, file_knowledge_source
from antidriftd.adapters.knowledge.node import NodeKnowledgeSource
from antidriftd.adapters.store.labels import SqliteLabelStore
from antidriftd.adapters.store.port import LabelStore
from antidriftd.adapters.tasks.port import TaskSource
from antidriftd.core.notices import ADVISOR_TOPIC, TASKS_TOPIC
from antidriftd.core.rules import Rules
from antidriftd.core.state import Notice
from antidriftd.programs.errors import ProgramError
from antidriftd.runtime.clock import SystemClock
from antidriftd.runtime.experience import PastAnswers
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.learning.parts import Parts
from antidriftd.runtime.requests import Sources
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.loading import Settings
from protocol.history import HISTORY_FILE
from protocol.paths import bindings_path, knowledge_dir

if TYPE_CHECKING:
    from antidriftd.adapters.advisor.evidence_judge import ProgramEvidenceJudge
    from antidriftd.adapters.advisor.programs import ProgramAdvisor
    from antidriftd.adapters.advisor.semantic.judge import SemanticDriftJudge

LEARNS = {"local", "semantic"}
"""The backends to which earlier answers are a hint."""

_BUILT_IN = {"none", *LEARNS}
"""The backends that run no program of the user's."""


def make_sources(
    settings: Settings, environ: Mapping[str, str], local: Sources
) -> tuple[Sources, list[Notice]]:
    """Return whom to ask, and why somebody is missing; a missing program is no failed start."""
    notices: list[Notice] = []
    knowledge = None
    if settings.knowledge_enabled:
        knowledge = NodeKnowledgeSource(
            settings.knowledge_file,
            file_knowledge_source(settings.knowledge_file, environ),
            _bases(environ).read,
        )
    tasks: TaskSource | None = None
    try:
        tasks = make_task_source(settings, environ)
    except ProgramError as error:
        notices.append(Notice(TASKS_TOPIC, f"no task list: {error}", is_event=False))
    sources = Sources(tasks=tasks, knowledge=knowledge)
    match settings.ai_backend:
        case "none":
            return sources, notices
        case "local":
            return replace(sources, judge=local.judge, coach=local.coach), notices
        case "semantic":
            try:
                require_extra()
            except ProgramError as error:
                text = f"windows are judged as by the backend local: {error}"
                notices.append(Notice(ADVISOR_TOPIC, text, is_event=False))
            return replace(sources, judge=local.judge, coach=local.coach), notices
        case _:
            try:
                advisor = make_advisor(settings, environ)
            except ProgramError as error:
                text = f"no advisor, only your allowed windows are matched: {error}"
                return sources, [*notices, Notice(ADVISOR_TOPIC, text, is_event=False)]
            return replace(sources, judge=advisor, coach=advisor, nudger=advisor), notices


@asynccontextmanager
async def open_built_in(
    settings: Settings, environ: Mapping[str, str], rules: Rules
) -> AsyncIterator[tuple[PastAnswers, Sources]]:
    """Provide what was learned from the person, and the built-in advisor that makes use of it."""
    local = LaterDriftJudge(settings.config.parent, settings.many_faced)
    past = PastAnswers(label_store(settings), kinds_by(local.topics), rules, local.prepare)
    coach = ExperiencedCoach(LaterCoach(local, settings.config.parent), past)
    if settings.ai_backend != "semantic":
        yield past, Sources(judge=ExperiencedDriftJudge(local, past), coach=coach)
        return
    async with _open_semantic(local, environ) as judge:
        yield past, Sources(judge=ExperiencedDriftJudge(judge, past), coach=coach)


@asynccontextmanager
async def _open_semantic(
    local: LaterDriftJudge, environ: Mapping[str, str]
) -> AsyncIterator["SemanticDriftJudge"]:
    """Provide the judge with the sentence model; its program starts when it is first asked."""
    from antidriftd.adapters.advisor.semantic.encoder import ProgramEncoder, model_command
    from antidriftd.adapters.advisor.semantic.judge import SemanticDriftJudge

    async with aclosing(ProgramEncoder(model_command(), environ)) as encoder:
        yield SemanticDriftJudge(local, encoder)


def label_store(settings: Settings) -> LabelStore:
    """Return where the person's answers are read, without a daemon around it."""
    return SqliteLabelStore(settings.state_dir / HISTORY_FILE)


@asynccontextmanager
async def open_drift_judge(
    settings: Settings, environ: Mapping[str, str]
) -> AsyncIterator[DriftJudge]:
    """Provide the judge that is set, without a daemon around it.

    Raises:
        BadSettings: none is set, or it can't be used.
        ProgramError: its program is missing, or is not safe to run.
    """
    match settings.ai_backend:
        case "none":
            raise BadSettings("ai: the backend none judges nothing")
        case "local":
            from antidriftd.adapters.advisor.local.judge import local_drift_judge

            yield local_drift_judge(settings.config.parent, settings.many_faced)
        case "semantic":
            require_extra()
            local = LaterDriftJudge(settings.config.parent, settings.many_faced)
            async with _open_semantic(local, environ) as judge:
                yield judge
        case _:
            try:
                advisor = make_advisor(settings, environ)
            except ValueError as error:
                raise BadSettings(f"ai: {error}") from error
            yield advisor


def _bases(environ: Mapping[str, str]) -> FileBases:
    return FileBases(bindings_path(environ), Path(knowledge_dir(environ)), environ)


def make_learner(
    settings: Settings, environ: Mapping[str, str], sources: Sources, clock: SystemClock
) -> Learner | None:
    """Return who learns from sessions; None when the profile is switched off."""
    if not settings.knowledge_enabled:
        return None
    judge = None if settings.ai_backend in _BUILT_IN else _evidence_judge(sources)
    folder = Path(knowledge_dir(environ))
    parts = Parts(bases=_bases(environ), evidence=FileEvidence(folder), judge=judge, clock=clock)
    profile = str(expanded(settings.knowledge_file, environ.get("HOME", "")))
    return Learner(parts, data_dir=str(folder), default_profile=profile)


def _evidence_judge(sources: Sources) -> "ProgramEvidenceJudge | None":
    from antidriftd.adapters.advisor.programs import ProgramAdvisor

    return sources.coach.evidence_judge if isinstance(sources.coach, ProgramAdvisor) else None


def look_for_advisor(settings: Settings, environ: Mapping[str, str]) -> None:
    """Return if what the backend needs is there.

    Raises:
        ProgramError: it is missing, or is not safe to run.
        ValueError: it can't be what is set.
    """
    match settings.ai_backend:
        case "local" | "none":
            pass
        case "semantic":
            require_extra()
        case _:
            make_advisor(settings, environ)


def make_advisor(settings: Settings, environ: Mapping[str, str]) -> "ProgramAdvisor":
    """Return the AI program that is set.

    Raises:
        ProgramError: it is missing, or is not safe to run.
        ValueError: it can't be what is set.
    """
    from antidriftd.adapters.advisor.programs import program_advisor

    return program_advisor(
        settings.ai_backend,
        command=settings.ai_command,
        model=settings.ai_model,
        base_url=settings.ai_base_url,
        judge_timeout_secs=settings.judge_timeout_secs,
        coach_timeout_secs=settings.coach_timeout_secs,
        environ=environ,
        pass_env=settings.pass_env,
    )


def make_task_source(settings: Settings, environ: Mapping[str, str]) -> TaskSource | None:
    """Return the task list that is set; None when none is.

    Raises:
        ProgramError: its program is missing, or is not safe to run.
        ValueError: it can't be what is set.
    """
    if settings.task_source == "none":
        return None
    from antidriftd.adapters.tasks.sources import task_source

    is_marvin = settings.task_source == "marvin"
    return task_source(
        settings.task_source,
        command=settings.marvin_command if is_marvin else settings.task_command,
        file=settings.task_file,
        environ=environ,
        pass_env=settings.pass_env,
        utc=SystemClock().utc,
    )
