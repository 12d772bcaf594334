"""What the person's answers in earlier sessions say of a window: a hint, and never more."""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import NamedTuple

from antidriftd.core import texts, titles
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.model import Commitment, Window
from antidriftd.core.rules import Rules

HALF_LIFE_SECS = 90 * 86_400.0
"""An answer counts half after so long, measured to the end of the last session: no clock is asked,
so the same labels always say the same."""

MAX_LOG_ODDS = 1.5
MAX_LABELS = 5_000
"""Of so many answers, the newest, is anything learned; and so many uses of a class are known."""

_MAX_CLASSES = 5
_LEAST_USE_SECS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the person said of a window in a session that is over; `at` is seconds since 1970.

    `session_id` and `entry` together name it. `page` is empty unless the program has many faces.
    """

    session_id: str
    entry: int
    at: float
    on_task: bool
    window_class: str
    page: str
    title: str
    commitment: Commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassUse:
    """How long a window class was on task in a session that is over."""

    commitment: Commitment
    window_class: str
    ontask_secs: float


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of the sessions that are over; `as_of` is when the last of them ended."""

    labels: tuple[Label, ...] = ()
    uses: tuple[ClassUse, ...] = ()
    as_of: float = 0.0

    def newest(self) -> "Past":
        """Return what of it something is learned from; labels and uses are there newest first."""
        return Past(self.labels[:MAX_LABELS], self.uses[:MAX_LABELS], self.as_of)

    def without(self, labels: Set[Label]) -> "Past":
        """Return it as it is when `labels` are forgotten."""
        kept = tuple(label for label in self.labels if label not in labels)
        return Past(kept, self.uses, self.as_of)


class Subject(NamedTuple):
    """What labels are about: a program, or with a page that is kept, one page of it."""

    program: str
    page: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What earlier answers say: `log_odds` above 0 speaks for drift, and is never large."""

    log_odds: float
    sessions: int

    @property
    def on_task(self) -> bool:
        """Whether it speaks for the task."""
        return self.log_odds < 0

    @property
    def reason(self) -> str:
        """It in words, for a person to read."""
        what = "on task" if self.on_task else "off task"
        times = "a session" if self.sessions == 1 else f"{self.sessions} sessions"
        return f"you called it {what} in {times} like this"


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned of one subject under one kind of commitment, with where it comes from."""

    kind: str
    subject: Subject
    labels: tuple[Label, ...]
    hint: Hint | None

    @property
    def window_class(self) -> str:
        """The class as it was written last."""
        return self.labels[-1].window_class

    @property
    def sessions(self) -> int:
        """From how many sessions it is."""
        return len({label.session_id for label in self.labels})


KindOf = Callable[[Commitment], str]
"""What kind of commitment one is; empty when that can't be told, and then it is like no other."""


def subject_of(window: Window, rules: Rules) -> Subject | None:
    """Return what labels on this window would be about.

    None for a window that leaves no trace, and for a many-faced program that shows no page: what
    was said of nothing in particular must not hold for all of its pages.
    """
    program = titles.kept_class(window, rules).strip().casefold()
    page = titles.kept_page(window, rules)
    if not program or (program in rules.many_faced and not page):
        return None
    return Subject(program, page)


def subject_of_label(label: Label, rules: Rules) -> Subject | None:
    """Return what a label is about; None where it is about nothing that a window can be now."""
    subject = _subject(label)
    is_gone = not titles.kept_class(Window(label.window_class, ""), rules)
    if is_gone or (subject.program in rules.many_faced) != bool(label.page):
        return None
    return subject


def _subject(label: Label) -> Subject:
    return Subject(label.window_class.strip().casefold(), label.page)


def hint_of(labels: Iterable[Label], as_of: float) -> Hint | None:
    """Return what labels on one subject under one kind of commitment say; None if too little.

    Each session has one vote, its last word. Two must agree, or of a page one is enough; votes
    against, and age, take from it.
    """
    votes = {label.session_id: label for label in sorted(labels, key=lambda label: label.at)}
    balance = sum(_weight(label, as_of) for label in votes.values())
    agreeing = [label for label in votes.values() if label.on_task == (balance < 0)]
    needed = 1 if all(label.page for label in agreeing) else 2
    if len(agreeing) < needed or abs(balance) < needed / 2:
        return None
    return Hint(max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, balance)), len(agreeing))


def _weight(label: Label, as_of: float) -> float:
    weight: float = 0.5 ** (max(0.0, as_of - label.at) / HALF_LIFE_SECS)
    return -weight if label.on_task else weight


def lessons_of(past: Past, kind_of: KindOf, rules: Rules) -> list[Lesson]:
    """Return all that was learned, what was learned first at the top; of use now or not."""
    groups: dict[tuple[str, Subject], list[Label]] = {}
    for label in sorted(past.labels, key=lambda label: (label.at, label.session_id, label.entry)):
        groups.setdefault((kind_of(label.commitment), _subject(label)), []).append(label)
    lessons = []
    for (kind, subject), labels in groups.items():
        is_of_use = bool(kind) and subject_of_label(labels[-1], rules) is not None
        hint = hint_of(labels, past.as_of) if is_of_use else None
        lessons.append(Lesson(kind, subject, tuple(labels), hint))
    return lessons


def usual_classes(
    uses: Iterable[ClassUse], kind: str, kind_of: KindOf, rules: Rules
) -> tuple[str, ...]:
    """Return the classes most used on task under such commitments, at most 5, the most first.

    Browsers are left out: allowed as a class, one would excuse every page.
    """
    secs: dict[str, float] = {}
    names: dict[str, str] = {}
    for use in uses:
        if kind and kind_of(use.commitment) == kind:
            folded = use.window_class.strip().casefold()
            secs[folded] = secs.get(folded, 0.0) + use.ontask_secs
            names.setdefault(folded, use.window_class.strip())
    usual = [
        folded
        for folded, name in names.items()
        if secs[folded] >= _LEAST_USE_SECS and _may_be_proposed(name, rules)
    ]
    usual.sort(key=lambda folded: (-secs[folded], folded))
    return tuple(names[folded] for folded in usual[:_MAX_CLASSES])


def _may_be_proposed(window_class: str, rules: Rules) -> bool:
    try:
        texts.checked_allowances("class", (window_class,))
    except TransitionRefused:
        return False
    is_kept = bool(titles.kept_class(Window(window_class, ""), rules))
    return is_kept and window_class.strip().casefold() not in rules.browsers
