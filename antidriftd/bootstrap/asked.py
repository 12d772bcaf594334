"""Whom the daemon asks, and who learns from the answers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from antidriftd.adapters.advisor.commitment_kind import kinds_by
from antidriftd.adapters.advisor.experienced import ExperiencedCoach, ExperiencedDriftJudge
from antidriftd.adapters.advisor.local.coach import local_coach
from antidriftd.adapters.advisor.local.judge import local_drift_judge
from antidriftd.adapters.advisor.port import DriftJudge
from antidriftd.adapters.advisor.programs import ProgramAdvisor, program_advisor
from antidriftd.adapters.advisor.semantic.encoder import ProgramEncoder, model_command
from antidriftd.adapters.advisor.semantic.installed import require_extra
from antidriftd.adapters.advisor.semantic.judge import SemanticDriftJudge
from antidriftd.adapters.custody.bases import FileBases
from antidriftd.adapters.evidence.files import FileEvidence
from antidriftd.adapters.knowledge.file import file_knowledge_source
from antidriftd.adapters.knowledge.node import NodeKnowledgeSource
from antidriftd.adapters.store.labels import SqliteLabelStore
from antidriftd.adapters.store.port import (
    LabelStore,
)
from antidriftd.adapters.tasks.port import TaskSource
from antidriftd.adapters.tasks.sources import task_source
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


def make_encoder(environ: Mapping[str, str]) -> ProgramEncoder:
    """Return what runs the sentence model; nothing is started before it is asked."""
    return ProgramEncoder(model_command(), environ)


def make_experienced(
    settings: Settings, rules: Rules, encoder: ProgramEncoder
) -> tuple[PastAnswers, Sources]:
    """Return what was learned from the person, and the built-in advisor that makes use of it."""
    local = local_drift_judge(settings.config.parent)
    past = PastAnswers(label_store(settings), kinds_by(local.topics), rules)
    judge = SemanticDriftJudge(local, encoder) if settings.ai_backend == "semantic" else local
    coach = ExperiencedCoach(local_coach(), past)
    return past, Sources(judge=ExperiencedDriftJudge(judge, past), coach=coach)


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
            yield local_drift_judge(settings.config.parent)
        case "semantic":
            require_extra()
            async with aclosing(make_encoder(environ)) as encoder:
                yield SemanticDriftJudge(local_drift_judge(settings.config.parent), encoder)
        case _:
            try:
                advisor = make_advisor(settings, environ)
            except ValueError as error:
                raise BadSettings(f"ai: {error}") from error
            yield advisor


def _bases(environ: Mapping[str, str]) -> FileBases:
    return FileBases(str(bindings_path(environ)), knowledge_dir(environ), environ)


def make_learner(
    settings: Settings, environ: Mapping[str, str], sources: Sources, clock: SystemClock
) -> Learner | None:
    """Return who learns from sessions; None when the profile is switched off."""
    if not settings.knowledge_enabled:
        return None
    judge = sources.coach.evidence_judge if isinstance(sources.coach, ProgramAdvisor) else None
    folder = knowledge_dir(environ)
    parts = Parts(bases=_bases(environ), evidence=FileEvidence(folder), judge=judge, clock=clock)
    return Learner(parts, data_dir=str(folder), default_profile=settings.knowledge_file)


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


def make_advisor(settings: Settings, environ: Mapping[str, str]) -> ProgramAdvisor:
    """Return the AI program that is set.

    Raises:
        ProgramError: it is missing, or is not safe to run.
        ValueError: it can't be what is set.
    """
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
    is_marvin = settings.task_source == "marvin"
    return task_source(
        settings.task_source,
        command=settings.marvin_command if is_marvin else settings.task_command,
        file=settings.task_file,
        environ=environ,
        pass_env=settings.pass_env,
        utc=SystemClock().utc,
    )
