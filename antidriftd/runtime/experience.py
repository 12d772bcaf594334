"""What was learned from the person's answers: read now and then, asked often, forgotten at once."""

from collections.abc import Callable, Sequence

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


class PastAnswers:
    """Holds the labels of the sessions that are over, as they were read last."""

    def __init__(self, store: LabelStore, kind_of: KindOf, rules: Rules) -> None:
        self._store = store
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
                self._take(await self._store.read())

    def _take(self, past: Past) -> None:
        self._past, self._labels = past, {}
        for label in past.labels:
            if subject := subject_of_label(label, self._rules):
                self._labels.setdefault(subject, []).append(label)

    # --- what an advisor asks ----------------------------------------------------------------

    def hint(self, commitment: Commitment, window: Window) -> Hint | None:
        """Return what was said of this window under commitments of the same kind."""
        subject = subject_of(window, self._rules)
        labels = self._labels.get(subject) if subject else None
        kind = self._kind_of(commitment) if labels else ""
        if not labels or not kind:
            return None
        alike = [label for label in labels if self._kind_of(label.commitment) == kind]
        return hint_of(alike, self._past.as_of)

    def usual_classes(self, commitment: Commitment) -> tuple[str, ...]:
        """Return the classes most used on task under commitments of the same kind."""
        uses = self._past.uses
        return usual_classes(uses, self._kind_of(commitment), self._kind_of, self._rules)

    # --- what the person asks ----------------------------------------------------------------

    async def lessons(self) -> list[Lesson]:
        """Return all that was learned, what was learned first at the top."""
        return await self._lessons(await self._store.read())

    async def forget(self, is_meant: Callable[[int, Lesson], bool]) -> list[Lesson]:
        """Forget the lessons that are meant, by their number in `lessons` from 1; return them.

        What they were learned from, all of it, is taken out of the history. From then on no hint
        is given that rests on it.

        Raises:
            StoreError: the history can't be written; nothing is forgotten.
        """
        async with self._one_at_a_time:
            listed = await self.lessons()
            numbers = {(each.kind, each.subject): at for at, each in enumerate(listed, 1)}
            # Not only the newest: what is older would take the place of what is forgotten.
            known = await self._lessons(await self._store.read(-1))
            meant = [
                each for each in known if is_meant(numbers.get((each.kind, each.subject), 0), each)
            ]
            if meant:
                await self._store.forget([label for each in meant for label in each.labels])
                self._take(await self._store.read())
        return meant

    async def _lessons(self, past: Past) -> list[Lesson]:
        kinds: dict[Commitment, str] = {}
        for commitment in {label.commitment for label in past.labels}:
            kinds[commitment] = self._kind_of(commitment)
            await trio.lowlevel.checkpoint()  # there may be thousands
        return lessons_of(past, kinds.__getitem__, self._rules)


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
