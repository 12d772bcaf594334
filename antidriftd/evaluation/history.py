"""The person's own answers as labelled windows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from antidriftd.core.learned import Label
from antidriftd.core.titles import HASH_CHARS
from antidriftd.evaluation.cases import BadCases, Case, CaseCommitment, CaseWindow

_HASH = re.compile(rf"[0-9a-f]{{{HASH_CHARS}}}")


@dataclass(frozen=True, slots=True)
class OwnCases:
    """Cases from the history, and what is missing of them; the remark is empty if nothing is."""

    cases: list[Case]
    remark: str


def own_cases(labels: Iterable[Label]) -> OwnCases:
    """Return the labels as cases, the oldest first; without titles what can be had without.

    Raises:
        BadCases: nothing can be judged; the message says why.
    """
    known = sorted(labels, key=lambda label: (label.at, label.session_id, label.entry))
    if not known:
        raise BadCases("there is no answer of yours in the history: ontask, offtask and refocus")
    usable = [label for label in known if _title(label) or not label.page]
    by_class = sum(not _title(label) for label in usable)
    if not usable:
        raise BadCases(
            f"none of your {len(known)} answers can be judged: they are about pages, and the "
            "history has no titles (history.titles)"
        )
    return OwnCases([_case(label) for label in usable], _remark(len(known), len(usable), by_class))


def _remark(known: int, usable: int, by_class: int) -> str:
    if known == usable and not by_class:
        return ""
    parts = [f"{by_class} are judged by the window class alone"] if by_class else []
    parts += [f"{known - usable} about pages are left out"] if known > usable else []
    return f"titles are missing (history.titles): of {known} answers {', '.join(parts)}"


def _title(label: Label) -> str:
    return "" if _HASH.fullmatch(label.title) else label.title


def _case(label: Label) -> Case:
    return Case(
        id=f"{label.session_id}:{label.entry}",
        commitment=CaseCommitment(label.commitment.next_action, label.commitment.success_condition),
        window=CaseWindow(label.window_class, _title(label)),
        label="on_task" if label.on_task else "drift",
        commitment_id=label.session_id,
    )
