"""A snapshot or a history that was damaged: kept as it is, told, and never taken for a new one."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import trio

from antidriftd.adapters.store import history_file
from antidriftd.adapters.store.codec import encode
from antidriftd.adapters.store.port import StoreError
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.adapters.store.histories import contents, new_store, whole
from tests.adapters.store.samples import running
from tests.faults.findings import Findings
from tests.faults.table import Fault, Tell, control

FLIPS = 1_000
CUTS = 100
STARTS_WITHIN_SECS = 3.0
SLOW_MACHINE = 5.0

GOOD = encode(running())
SNAPSHOT = "the snapshot is damaged"
HISTORY = "the history is damaged"


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that costs no time to sync."""
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


def flipped(data: bytes, rng: Random) -> bytes:
    """Return data of which one bit is another."""
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


# --- the snapshot ----------------------------------------------------------------------------


def damages() -> Iterable[bytes]:
    rng = Random(20_261_130)  # noqa: S311  # the same bits in every run
    # Without its last byte, the line end, it is still whole.
    yield from (GOOD[:length] for length in range(len(GOOD) - 1))
    yield from (flipped(GOOD, rng) for _ in range(FLIPS))
    yield from (GOOD + GOOD, bytes(len(GOOD)), b"[" * 1_000_000, b"NaN", b'{"schema":NaN}')
    yield GOOD.replace(b"100.5", b"NaN")


def load_each(place: Path, damaged: Iterable[bytes]) -> Findings:
    """Load each as a snapshot, and see that it is kept and told."""
    found = Findings()
    path = place / "snapshot.json"
    for data in damaged:
        path.write_bytes(data)
        loaded = trio.run(FileSnapshotStore(path, lambda: 0.0).load)
        (left,) = place.iterdir()
        found.runs += 1
        found.look(f"{data!r} is taken", is_right=loaded.saved is None and bool(loaded.trouble))
        found.look(f"{data!r} isn't told", is_right=str(left) in loaded.trouble)
        found.look(f"{data!r} isn't kept", is_right=left != path and left.read_bytes() == data)
        left.unlink()
    return found


def test_a_snapshot_that_was_cut_or_changed_anywhere_is_kept_and_told(
    place: Path, tell_fault: Tell
) -> None:
    found = load_each(place, damages())
    tell_fault(Fault("F9", SNAPSHOT, found.runs, len(found.wrong)))

    assert found.wrong == []
    assert found.runs > len(GOOD) + FLIPS


def test_one_that_does_not_compare_checksums_is_caught(
    place: Path, tell_fault: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoSum:
        """Compares equal to every checksum."""

        def __ne__(self, other: object) -> bool:
            return False

    monkeypatch.setattr("antidriftd.adapters.store.codec.zlib.crc32", lambda _: NoSum())
    found = load_each(place, damages())
    is_caught = any("is taken" in what for what in found.wrong)
    tell_fault(Fault("F9", SNAPSHOT, 0, 0, control(is_caught=is_caught)))

    assert is_caught


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


def loop(path: Path) -> None:
    path.with_name("other").symlink_to(path.name)
    path.symlink_to("other")


SHAPES: dict[str, Callable[[Path], object]] = {
    "1 GiB": sparse,
    "a FIFO": os.mkfifo,
    "a directory": Path.mkdir,
    "a loop of links": loop,
    "a dangling link": lambda path: path.symlink_to("nowhere"),
}


def set_aside(directory: Path) -> Path:
    (path,) = directory.glob("*.unreadable-*")
    return path


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
async def test_what_is_no_snapshot_at_all_takes_no_time_and_is_kept(
    tmp_path: Path, tell_fault: Tell, make: Callable[[Path], object]
) -> None:
    found, path = Findings(), tmp_path / "snapshot.json"
    make(path)
    before = path.lstat()
    begun = trio.current_time()
    loaded = await FileSnapshotStore(path, lambda: 0.0).load()
    took = trio.current_time() - begun
    kept = set_aside(tmp_path)
    found.look("it isn't told", is_right=str(kept) in loaded.trouble)
    found.look("it isn't kept", is_right=os.path.samestat(before, kept.lstat()))
    found.look(f"it took {took} s", is_right=took < STARTS_WITHIN_SECS * SLOW_MACHINE)
    tell_fault(Fault("F9", SNAPSHOT, 1, len(found.wrong)))

    assert found.wrong == []


# --- the history -----------------------------------------------------------------------------


Files = Mapping[str, bytes]
"""What lies at the history's place, by what the names end with."""


def lived_in(path: Path) -> Files:
    """Return a history that a daemon is just writing: the file, and what isn't in it yet."""
    for number in range(8):
        trio.run(new_store(path).write, whole(f"{number}"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = value")
        return {ending: Path(f"{path}{ending}").read_bytes() for ending in ("", "-wal")}


def spoiled(place: Path) -> Iterable[tuple[str, Files]]:
    """Yield what may become of a history."""
    for name in ("good", "other"):
        (place / name).mkdir()
    good = lived_in(place / "good" / "history.sqlite3")
    other = lived_in(place / "other" / "history.sqlite3")
    data = good[""]
    yield "nothing", good
    for length in range(0, len(data), len(data) // CUTS):
        yield f"cut to {length}", {"": data[:length]}
    for at in range(0, 100, 4):  # the header
        changed = bytes(byte ^ 0xFF for byte in data[at : at + 4])
        yield f"header at {at}", {"": data[:at] + changed + data[at + 4 :]}
    yield "without its -wal", {"": data}
    yield "with another's -wal", {"": data, "-wal": other["-wal"]}
    yield "with a -wal of NULs", {"": data, "-wal": bytes(len(good["-wal"]))}
    yield "with half a -wal", {"": data, "-wal": good["-wal"][: len(good["-wal"]) // 2]}
    yield "with a -journal of NULs", {"": data, "-journal": bytes(512)}


def go_on_with(place: Path, what: str, files: Files, found: Findings) -> None:
    """Have a store go on: nothing that was there is gone, unless it says where it is kept."""
    path = place / "history.sqlite3"
    for ending, data in files.items():
        Path(f"{path}{ending}").write_bytes(data)
    try:
        trouble = trio.run(new_store(path).write, whole("next"))
    except StoreError:
        # Told, and tried again: it is left as it is.
        found.look(f"{what}: changed", is_right=path.read_bytes() == files[""])
        return
    kept = [each.read_bytes() for each in place.glob("*.unreadable-*Z")]
    found.look(f"{what}: not kept", is_right=kept == ([files[""]] if trouble else []))
    names = sessions(path)
    found.look(f"{what}: not written", is_right="next" in names)
    is_whole = set(map(str, range(8))) <= set(names)
    found.look(f"{what}: lost", is_right=is_whole or bool(trouble) or not files[""])


def sessions(path: Path) -> Sequence[str]:
    try:
        return [row["session_id"] for row in contents(path)["sessions"]]
    except (AssertionError, sqlite3.DatabaseError):
        return []


def spoil_each(place: Path) -> Findings:
    found = Findings()
    for number, (what, files) in enumerate(spoiled(place)):
        own = place / f"{number}"
        own.mkdir()
        go_on_with(own, what, files, found)
        found.runs += 1
    return found


def test_a_history_that_was_damaged_is_kept_and_told(place: Path, tell_fault: Tell) -> None:
    found = spoil_each(place)
    tell_fault(Fault("F10", HISTORY, found.runs, len(found.wrong)))

    assert found.wrong == []
    assert found.runs > CUTS + 25


def test_one_that_does_not_look_before_it_writes_is_caught(
    place: Path, tell_fault: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_file, "check", lambda _path, _newest: None)
    found = spoil_each(place)
    is_caught = any("lost" in what or "not written" in what for what in found.wrong)
    tell_fault(Fault("F10", HISTORY, 0, 0, control(is_caught=is_caught)))

    assert is_caught
