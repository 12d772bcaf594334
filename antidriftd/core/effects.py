"""What the core wants done; the shell does it and reports back with events."""

from dataclasses import dataclass

from antidriftd.core.model import Commitment, Display, Window


@dataclass(frozen=True, slots=True)
class SaveSnapshot:
    """Write the newest state to disk; answered by SnapshotSaved or SnapshotFailed."""


@dataclass(frozen=True, slots=True)
class AskJudge:
    """Have a window judged; answered by JudgmentReturned or JudgmentFailed."""

    question_id: int
    commitment: Commitment
    window: Window


@dataclass(frozen=True, slots=True)
class EndJudgment:
    """End the program that works on this question; its answer is wanted no more."""

    question_id: int


@dataclass(frozen=True, slots=True)
class UseDisplay:
    """Hand an X display to the sensor."""

    display: Display


Effect = SaveSnapshot | AskJudge | EndJudgment | UseDisplay
