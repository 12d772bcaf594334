"""Asks a program what of the evidence is worth keeping, and reads its answer strictly."""

from dataclasses import dataclass, field

import msgspec

from antidriftd.adapters.advisor.asking import Question
from antidriftd.adapters.advisor.evidence_prompt import build_evidence_prompt
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.search import find_objects
from antidriftd.core.knowledge.judging import Disposition, Matter, Outcome, ReasonCode

JUDGMENT_TIMEOUT_SECS = 120.0


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One outcome; there is no member for a file, a base or a node, so nothing leads there."""

    candidate: str
    verdict: Disposition
    code: ReasonCode
    reason: str
    text: str | None = None
    as_of: str | None = None
    target: str | None = None


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of an answer."""

    outcomes: tuple[_Said, ...]


@dataclass(frozen=True, slots=True)
class ProgramEvidenceJudge:
    """Asks one question of a program; it gets no tools and nothing of a running session."""

    name: str
    question: Question = field(repr=False)

    def text_for(self, matter: Matter) -> str:
        """Return the prompt; see `EvidenceJudge.text_for`."""
        return build_evidence_prompt(matter)

    async def ask(self, prompt: str) -> str:
        """Return what the program said; see `EvidenceJudge.ask`."""
        return await self.question.ask(prompt, _something)

    def read(self, answer: str) -> tuple[Outcome, ...]:
        """Return the outcomes in an answer; see `EvidenceJudge.read`."""
        return read_outcomes(answer)


def read_outcomes(answer: str) -> tuple[Outcome, ...]:
    """Return the outcomes in what a program said.

    Raises:
        AdvisorError: there is no object of the right shape, or two that differ.
    """
    found = find_objects(answer, _as_answer)
    distinct = [each for n, each in enumerate(found) if each not in found[:n]]
    if not distinct:
        raise AdvisorError("the answer holds no outcomes")
    if len(distinct) > 1:
        raise AdvisorError("the answer holds two different lists of outcomes")
    try:
        said = msgspec.convert(distinct[0], _Answer)
    except msgspec.ValidationError as error:
        raise AdvisorError("the answer's outcomes have the wrong shape") from error
    return tuple(Outcome(**msgspec.structs.asdict(each)) for each in said.outcomes)


def _as_answer(value: object) -> dict[str, object] | None:
    return value if isinstance(value, dict) and "outcomes" in value else None


def _something(answer: str) -> str:
    if not answer.strip():
        raise AdvisorError("it said nothing")
    return answer
