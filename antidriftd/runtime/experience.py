"""What was learned from the person's answers: read now and then, asked often, forgotten at once."""

from collections.abc import Awaitable, Callable, Iterable, Sequence

import trio

from antidriftd.adapters.store.port import HistoryStore, LabelStore
from antidriftd.core.learned import (
    Hint,
    KindOf,
    Label,
    Lesson,
    Past,
    Subject,
    hint_of,
    lessons_of,
    subject_of,
    subject_of_label,
    usual_classes,
)
from antidriftd.core.model import Commitment, Window
from antidriftd.core.recording_state import Entry, SessionEnded
from antidriftd.core.rules import Rules

NumberedLesson = tuple[int, Lesson]
"""A lesson with its number in `lessons`, from 1; 0 for what is too old to be there."""


class PastAnswers:
    """Holds the labels of the sessions that are over, as they were read last."""

    def __init__(
        self,
        store: LabelStore,
        kind_of: KindOf,
        rules: Rules,
        prepare: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint,
    ) -> None:
        """Take what `kind_of` needs to have been awaited, so that it holds nobody up."""
        self._store = store
        self._prepare = prepare
        self._kind_of = kind_of
        self._rules = rules
        self._past = Past()
        self._labels: dict[Subject, list[Label]] = {}
        self._wanted = trio.Event()
        self._wanted.set()
        self._one_at_a_time = trio.Lock()

    def refresh(self) -> None:
        """Have the labels read again, in the background."""
        self._wanted.set()

    async def run(self) -> None:
        """Read the labels now and whenever it is wanted, until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            async with self._one_at_a_time:
                await self._take(await self._store.read())

    async def _take(self, past: Past) -> None:
        labels: dict[Subject, list[Label]] = {}
        for label in past.labels:
            if subject := subject_of_label(label, self._rules):
                labels.setdefault(subject, []).append(label)
            await trio.lowlevel.checkpoint()  # there may be thousands
        self._past, self._labels = past, labels

    # --- what an advisor asks ----------------------------------------------------------------

    async def hint(self, commitment: Commitment, window: Window) -> Hint | None:
        """Return what was said of this window under commitments of the same kind."""
        subject = subject_of(window, self._rules)
        if subject is None or subject not in self._labels:
            return None
        kinds = await self._kinds(label.commitment for label in self._labels[subject])
        kind = self._kind_of(commitment)
        # As they are now: meanwhile some may have been forgotten.
        labels = self._labels.get(subject, ())
        alike = [label for label in labels if kind and kinds.get(label.commitment) == kind]
        return hint_of(alike, self._past.as_of)

    async def usual_classes(self, commitment: Commitment) -> tuple[str, ...]:
        """Return the classes most used on task under commitments of the same kind."""
        uses = self._past.uses
        kinds = await self._kinds(use.commitment for use in uses)
        kind = self._kind_of(commitment) if uses else ""
        return usual_classes(uses, kind, kinds.__getitem__, self._rules)

    # --- what the person asks ----------------------------------------------------------------

    async def lessons(self) -> list[Lesson]:
        """Return all that was learned, what was learned first at the top."""
        return await self._lessons(await self._store.read())

    async def forget(
        self, choose: Callable[[Sequence[NumberedLesson]], Sequence[NumberedLesson]]
    ) -> Sequence[NumberedLesson]:
        """Forget what `choose` picks of all that was learned; return it.

        What it was learned from, all of it, is taken out of the history. From then on no hint is
        given that rests on it.

        Raises:
            StoreError: the history can't be written; nothing is forgotten.
            Exception: what `choose` raises; nothing is forgotten.
        """
        async with self._one_at_a_time:
            # Not only the newest: what is older would take the place of what is forgotten.
            past = await self._store.read(-1)
            listed = await self._lessons(past.newest())
            numbers = {(each.kind, each.subject): at for at, each in enumerate(listed, 1)}
            chosen = choose(
                [
                    (numbers.get((each.kind, each.subject), 0), each)
                    for each in await self._lessons(past)
                ]
            )
            labels = {label for _, each in chosen for label in each.labels}
            if labels:
                await self._store.forget(list(labels))
                await self._take(past.without(labels).newest())
        return chosen

    async def _lessons(self, past: Past) -> list[Lesson]:
        kinds = await self._kinds(label.commitment for label in past.labels)
        return lessons_of(past, kinds.__getitem__, self._rules)

    async def _kinds(self, commitments: Iterable[Commitment]) -> dict[Commitment, str]:
        """Return what kind each is of; there may be thousands, so others get their turn."""
        kinds: dict[Commitment, str] = {}
        wanted = set(commitments)
        if wanted:
            await self._prepare()
        for commitment in wanted:
            kinds[commitment] = self._kind_of(commitment)
            await trio.lowlevel.checkpoint()
        return kinds


class WatchedHistory:
    """A history that tells when it has kept the end of a session."""

    def __init__(self, history: HistoryStore, session_kept: Callable[[], None]) -> None:
        self._history = history
        self._session_kept = session_kept

    async def write(self, entries: Sequence[Entry]) -> str:
        """Add the entries, as the history does."""
        trouble = await self._history.write(entries)
        if any(isinstance(entry.record, SessionEnded) for entry in entries):
            self._session_kept()
        return trouble
