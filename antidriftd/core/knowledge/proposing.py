"""Makes a proposal of the judge's outcomes: which lines are added or replaced, and by what."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from antidriftd.core.knowledge.judging import Disposition, Outcome
from antidriftd.core.knowledge.section import Change, Entry, Section, changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One line of a proposal, and what it is for."""

    verdict: Disposition
    candidate: str
    target: str = ""
    id: str
    revision: int
    text: str = field(repr=False)
    line: str = field(repr=False)
    replaced: str = field(default="", repr=False)
    """The line that it takes the place of."""
    replaces_own_words: bool = False
    """Whether that line has been reworded by the person since it was learned."""

    @property
    def mark(self) -> str:
        """The id with the revision."""
        return f"{self.id}.{self.revision}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a run would have the person accept; nothing is changed by it."""

    v: int = 1
    run: str
    inputs: tuple[str, ...]
    before: bytes = field(repr=False)
    before_hash: str
    after: bytes = field(repr=False)
    after_hash: str
    operations: tuple[Operation, ...]
    outcomes: tuple[Outcome, ...]


def content_hash(content: bytes) -> str:
    """Return how a content is named in receipts."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def line_text(outcome: Outcome) -> str:
    """Return the text of the line that an outcome asks for."""
    text = (outcome.text or "").strip()
    if not outcome.as_of:
        return text
    end = "" if text.endswith((".", "!", "?", "…")) else "."
    return f"{text}{end} As of {outcome.as_of}."


def operations_for(
    outcomes: Iterable[Outcome],
    section: Section,
    known_lines: Mapping[str, str],
    *,
    run: str,
    day: str,
) -> tuple[Operation, ...]:
    """Return the operations that outcomes ask for; merged twice, an entry is changed once.

    `known_lines` are the lines as they were accepted, by `id.revision`.
    """
    entries = section.entries()
    found: list[Operation] = []
    for outcome in outcomes:
        if outcome.verdict == "drop":
            continue
        old = entries.get(outcome.target or "")
        entry = _entry(outcome, old, run, day)
        is_own = old is not None and known_lines.get(old.mark, "") != old.line
        found.append(
            Operation(
                verdict=outcome.verdict,
                candidate=outcome.candidate,
                target=old.id if old else "",
                id=entry.id,
                revision=entry.revision,
                text=entry.text,
                line=entry.line,
                replaced=old.line if old else "",
                replaces_own_words=is_own,
            )
        )
    return tuple(found)


def _entry(outcome: Outcome, old: Entry | None, run: str, day: str) -> Entry:
    text = line_text(outcome)
    if outcome.verdict == "merge" and old is not None:
        return Entry(text, old.id, old.revision + 1, day)
    seed = f"{run}\n{outcome.candidate}\n{text}".encode()
    return Entry(text, f"k:{hashlib.sha256(seed).hexdigest()[:8]}", 1, day)


def applied(section: Section, operations: Iterable[Operation], day: str) -> bytes:
    """Return the whole file after the operations."""
    changes = [
        Change(Entry(each.text, each.id, each.revision, day), replaces=each.target)
        for each in operations
    ]
    return section.with_lines(changed(section, changes))


def gone_ids(operations: Iterable[Operation]) -> frozenset[str]:
    """Return the ids that are no longer there once the operations are applied."""
    return frozenset(each.target for each in operations if each.verdict == "supersede")
