"""The ports to the advisor: who coaches, who judges a window, who nudges."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from antidriftd.core.knowledge.judging import Matter, Outcome
from antidriftd.core.learned import Hint
from antidriftd.core.model import Commitment, Digest, Proposal, Verdict, Window


class AdvisorError(Exception):
    """The advisor gave no usable answer; the message is one line for a person to read."""


class DriftJudge(Protocol):
    """Judges whether a window serves a commitment."""

    @property
    def name(self) -> str:
        """The backend's name as the user writes it (`local`, `command`)."""

    @property
    def free(self) -> bool:
        """Whether a judgment costs nothing, so that no debounce and no budget is needed."""

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return exactly what `judge` would send to a program; empty when nothing is sent."""

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`.

        Cancelling ends every process that the judgment started.

        Raises:
            AdvisorError: no answer of the right shape came in time.
        """


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a judge makes of a window: the score rises with drift, from 0 to 1."""

    score: float
    on_task: bool | None
    reason: str


@runtime_checkable
class Assessor(Protocol):
    """A judge that knows how sure it is, and can be given more evidence than what it sees."""

    @property
    def name(self) -> str:
        """The backend's name."""

    async def weigh(self, commitment: Commitment, window: Window) -> Callable[[float], Assessment]:
        """Return what it makes of `window`, by what else is known.

        That is a logarithm of odds: 0 for nothing, above 0 it speaks for drift. Never fails.
        """


class Coach(Protocol):
    """Makes a contract of an intent."""

    @property
    def name(self) -> str:
        """The backend's name as the user writes it."""

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return a proposal for `intent`; `grounding` is the person's profile, or empty.

        Cancelling ends every process that was started.

        Raises:
            AdvisorError: no answer of the right shape came in time.
        """


class EvidenceJudge(Protocol):
    """Judges what sessions taught: what of it is worth keeping."""

    @property
    def name(self) -> str:
        """The backend's name as the user writes it."""

    def text_for(self, matter: Matter) -> str:
        """Return exactly what `ask` is to be given."""

    async def ask(self, prompt: str) -> str:
        """Return what the program said, as it is.

        Cancelling ends every process that was started.

        Raises:
            AdvisorError: it said nothing in time; the message may quote the evidence.
        """

    def read(self, answer: str) -> tuple[Outcome, ...]:
        """Return the outcomes in an answer.

        Raises:
            AdvisorError: there are none of the right shape.
        """


class Nudger(Protocol):
    """Says one line about how a session goes."""

    async def nudge(self, commitment: Commitment, digest: Digest) -> str:
        """Return the line, empty for nothing to say.

        Cancelling ends every process that was started.

        Raises:
            AdvisorError: no answer of the right shape came in time.
        """


class Experience(Protocol):
    """What is known from the person's earlier sessions; nothing of it leaves the machine."""

    async def hint(self, commitment: Commitment, window: Window) -> Hint | None:
        """Return what they said of this window under such commitments; None for too little."""

    async def usual_classes(self, commitment: Commitment) -> tuple[str, ...]:
        """Return the window classes they mostly used under such commitments, at most 5."""
