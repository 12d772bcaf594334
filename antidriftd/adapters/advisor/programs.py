"""The advisor that is a program: found once, then asked as coach, judge and nudger."""

from collections.abc import Iterable, Mapping
from functools import partial
from os import defpath
from pathlib import Path
from typing import TypedDict, Unpack

from antidriftd.adapters.advisor.asking import Question
from antidriftd.adapters.advisor.backends import BACKENDS, Backend, loopback_backend
from antidriftd.adapters.advisor.evidence_judge import (
    JUDGMENT_TIMEOUT_SECS,
    ProgramEvidenceJudge,
)
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.prompts import (
    build_coach_prompt,
    build_judge_prompt,
    build_nudge_prompt,
)
from antidriftd.adapters.advisor.quoting import quotes
from antidriftd.adapters.advisor.replies import parse_nudge, parse_proposal, parse_verdict
from antidriftd.adapters.advisor.schemas import (
    JUDGMENT_SCHEMA,
    NUDGE_SCHEMA,
    PROPOSAL_SCHEMA,
    VERDICT_SCHEMA,
)
from antidriftd.core.model import Commitment, Digest, Proposal, Verdict, Window
from antidriftd.programs.environment import program_environ
from antidriftd.programs.lookup import find_program, split_command


class ProgramSettings(TypedDict):
    """What the user set for the advisor, and the daemon's surroundings."""

    command: str
    """The program and its first arguments; a named backend has one without it."""
    model: str
    base_url: str
    """Where a model server on this machine is asked instead of the program `ollama`."""
    judge_timeout_secs: float
    """How long a judgment may take, and a nudge."""
    coach_timeout_secs: float
    environ: Mapping[str, str]
    """The daemon's own environment: the program gets a part of it."""
    pass_env: Iterable[str]
    """The names of what else the program gets."""


def program_advisor(backend: str, **settings: Unpack[ProgramSettings]) -> "ProgramAdvisor":
    """Return the advisor behind `backend`; its program is looked up here, once.

    Raises:
        ValueError: the settings can't be used; the message is one line.
        ProgramError: the program is missing, or is not safe to run.
    """
    chosen, words = _chosen(backend, settings)
    model = settings["model"] or chosen.model
    if chosen.needs_model and not model:
        raise ValueError(f"the backend {backend} needs ai.model, the name of a model that it has")
    program = find_program(words[0], settings["environ"].get("PATH", defpath))
    environ = program_environ(settings["environ"], settings["pass_env"])

    def question(schema: str, timeout_secs: float) -> Question:
        how = chosen.invoke(model, schema)
        return Question(
            label=chosen.label or Path(program).name,
            argv=(program, *words[1:], *how.arguments),
            files=how.files,
            environ=environ | dict(how.environ),
            timeout_secs=timeout_secs,
            read=chosen.read,
        )

    return ProgramAdvisor(
        backend,
        judge=question(VERDICT_SCHEMA, settings["judge_timeout_secs"]),
        coach=question(PROPOSAL_SCHEMA, settings["coach_timeout_secs"]),
        nudge=question(NUDGE_SCHEMA, settings["judge_timeout_secs"]),
        evidence=ProgramEvidenceJudge(backend, question(JUDGMENT_SCHEMA, JUDGMENT_TIMEOUT_SECS)),
    )


def _chosen(name: str, settings: ProgramSettings) -> tuple[Backend, list[str]]:
    """Return the backend, and its program's name with its first arguments."""
    if name not in BACKENDS:
        raise ValueError(f"there is no backend {name!r}; allowed are {', '.join(BACKENDS)}")
    if name == "ollama" and settings["base_url"]:
        server = loopback_backend(settings["base_url"])
        return server, [server.program]
    backend = BACKENDS[name]
    if backend.program and not settings["command"]:
        return backend, [backend.program]
    if not settings["command"]:
        raise ValueError("the backend command needs a program: ai.command or ANTIDRIFT_AI_CMD")
    return backend, split_command(settings["command"])


class ProgramAdvisor:
    """Asks a program: the prompt goes to its standard input, the answer is in what it prints."""

    free = False

    def __init__(
        self,
        name: str,
        *,
        judge: Question,
        coach: Question,
        nudge: Question,
        evidence: ProgramEvidenceJudge,
    ) -> None:
        """Take the backend's name, and how the program is asked in each role."""
        self.name = name
        self.evidence_judge = evidence
        self._judge = judge
        self._coach = coach
        self._nudge = nudge

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return what the judge would get on standard input."""
        return build_judge_prompt(commitment, window)

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the program's verdict on `window`; see `DriftJudge.judge`."""
        prompt = self.text_for(commitment, window)
        return await self._judge.ask(prompt, partial(parse_verdict, untrusted=window.title))

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return the program's proposal for `intent`; see `Coach.coach`."""
        prompt = build_coach_prompt(intent, grounding)
        read = partial(parse_proposal, untrusted=f"{intent}\n{grounding}")
        try:
            return await self._coach.ask(prompt, read)
        except AdvisorError as error:
            if not quotes(str(error), grounding):
                raise
        # What it printed would go to every client; the profile goes to none.
        raise AdvisorError("the coach gave no answer, only words of your profile")

    async def nudge(self, commitment: Commitment, digest: Digest) -> str:
        """Return the program's line about the session; see `Nudger.nudge`."""
        prompt = build_nudge_prompt(commitment, digest)
        classes = " ".join(name for name, _ in digest.classes)
        return await self._nudge.ask(prompt, partial(parse_nudge, untrusted=classes))
