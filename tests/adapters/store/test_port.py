"""What every snapshot store promises: the fake one and the one on disk alike."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store.port import Loaded, SnapshotStore, StoreError
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.adapters.store.samples import planned
from tests.fakes.store import FakeSnapshotStore


@dataclass(frozen=True, slots=True)
class Subject:
    """A store, and how to have its disk refuse and work again."""

    store: SnapshotStore
    refuse: Callable[[], object]
    work: Callable[[], object]


def in_memory(_: Path) -> Subject:
    store = FakeSnapshotStore()
    return Subject(
        store,
        refuse=lambda: setattr(store, "trouble", "No space left on device"),
        work=lambda: setattr(store, "trouble", ""),
    )


def on_disk(directory: Path) -> Subject:
    # A directory where the temporary file should go stands for whatever a disk can refuse.
    obstacle = directory / "snapshot.json.tmp"
    store = FileSnapshotStore(directory / "snapshot.json", lambda: 0.0)
    return Subject(store, refuse=obstacle.mkdir, work=obstacle.rmdir)


@pytest.fixture(params=[in_memory, on_disk])
def subject(request: pytest.FixtureRequest, tmp_path: Path) -> Subject:
    made: Subject = request.param(tmp_path)
    return made


async def test_a_new_store_is_empty(subject: Subject) -> None:
    assert await subject.store.load() == Loaded(None)


async def test_the_last_snapshot_is_the_one_that_is_loaded(subject: Subject) -> None:
    for intent in ("read", "write"):
        await subject.store.save(planned(intent))

    assert await subject.store.load() == Loaded(planned("write"))


async def test_a_refused_save_says_why_in_a_line_and_harms_nothing(subject: Subject) -> None:
    await subject.store.save(planned("read"))
    subject.refuse()
    with pytest.raises(StoreError) as refusal:
        await subject.store.save(planned("write"))

    assert str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert await subject.store.load() == Loaded(planned("read"))


async def test_a_later_save_succeeds(subject: Subject) -> None:
    subject.refuse()
    with pytest.raises(StoreError):
        await subject.store.save(planned("read"))
    subject.work()
    await subject.store.save(planned("write"))

    assert await subject.store.load() == Loaded(planned("write"))


async def test_a_save_can_be_cancelled(subject: Subject) -> None:
    with trio.CancelScope() as scope:
        scope.cancel()
        await subject.store.save(planned("read"))
    await subject.store.save(planned("write"))

    assert await subject.store.load() == Loaded(planned("write"))
