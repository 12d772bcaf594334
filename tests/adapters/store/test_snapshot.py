"""The snapshot file: which file it is, and what becomes of one that can't be read."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store.codec import encode
from antidriftd.adapters.store.port import Loaded, StoreError, UnsafeStore
from antidriftd.adapters.store.snapshot import MAX_SNAPSHOT_BYTES, FileSnapshotStore
from tests import other_user
from tests.adapters.store.samples import planned, running

_NOON = 1_800_000_000.0
_DAY = "20270115T080000Z"

GOOD = encode(running())


def open_store(directory: Path) -> FileSnapshotStore:
    return FileSnapshotStore(directory / "snapshot.json", noon)


def noon() -> float:
    """Return a time; like the real clock's, it can't be had in another thread."""
    trio.current_time()
    return _NOON


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def entry(path: Path) -> object:
    """Return what can be told of a path, but for its name, so that two can be compared."""
    seen = path.lstat()
    content: object = None
    if path.is_symlink():
        content = path.readlink()
    elif path.is_dir():
        content = names(path)
    elif path.is_file():
        content = path.read_bytes()
    return seen.st_ino, seen.st_mode, seen.st_uid, content


# --- one that can't be read ------------------------------------------------------------------


def makes(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(os.fspath(path))


def loop(path: Path) -> None:
    other = path.with_name("other.json")
    other.symlink_to(path.name)
    path.symlink_to(other.name)


UNREADABLE: dict[str, Callable[[Path], object]] = {
    "0 bytes": makes(b""),
    "43 NULs": makes(b"\0" * 43),
    "cut at byte 20": makes(GOOD[:20]),
    "[]": makes(b"[]"),
    "null": makes(b"null"),
    "text": makes(b"not JSON\n"),
    "a flipped bit": makes(GOOD.replace(b"report", b"repo2t")),
    "twice the same": makes(GOOD * 2),
    "deep": makes(b"[" * 1_000_000),
    "too large": makes(b" " * 20_000_000),
    "a newer schema": makes(GOOD.replace(b'"schema":2', b'"schema":3')),
    "a directory": lambda path: path.mkdir(),
    "a full directory": lambda path: (path / "full").mkdir(parents=True),
    "a FIFO": os.mkfifo,
    "a socket": bind,
    "a dangling link": lambda path: path.symlink_to("nowhere.json"),
    "a link into a missing directory": lambda path: path.symlink_to("missing/snapshot.json"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a loop of links": loop,
    "a link through what is no directory": lambda path: path.symlink_to("/dev/null/x"),
    "a link to a directory": lambda path: path.symlink_to(path.parent),
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_cannot_be_read_is_set_aside_as_it_is(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(tmp_path / "snapshot.json")
    before = entry(tmp_path / "snapshot.json")
    store = open_store(tmp_path)
    loaded = await store.load()
    aside = tmp_path / f"snapshot.json.unreadable-{_DAY}"

    assert loaded.saved is None
    assert entry(aside) == before
    assert str(aside) in loaded.trouble
    assert "(" in loaded.trouble  # it says why
    assert "\n" not in loaded.trouble

    await store.save(planned("read"))
    assert await store.load() == Loaded(planned("read"))
    assert entry(aside) == before


@pytest.mark.parametrize("at", range(0, len(GOOD) - 1, 97))
async def test_a_file_that_was_cut_is_set_aside(tmp_path: Path, at: int) -> None:
    (tmp_path / "snapshot.json").write_bytes(GOOD[:at])

    assert (await open_store(tmp_path).load()).trouble
    assert (tmp_path / f"snapshot.json.unreadable-{_DAY}").read_bytes() == GOOD[:at]


async def test_what_was_set_aside_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / f"snapshot.json.unreadable-{_DAY}-2").symlink_to("nowhere")
    contents = [b"first", b"second", b"third", b"fourth"]
    for content in contents:
        (tmp_path / "snapshot.json").write_bytes(content)
        await open_store(tmp_path).load()

    kept = [(tmp_path / name) for name in names(tmp_path) if (tmp_path / name).is_file()]
    assert sorted(path.read_bytes() for path in kept) == sorted(contents)
    assert (tmp_path / f"snapshot.json.unreadable-{_DAY}-2").is_symlink()


async def test_a_newer_snapshot_says_so(tmp_path: Path) -> None:
    UNREADABLE["a newer schema"](tmp_path / "snapshot.json")

    assert "schema 3" in (await open_store(tmp_path).load()).trouble


async def test_the_largest_file_that_is_read_has_16_mib(tmp_path: Path) -> None:
    padding = b" " * (MAX_SNAPSHOT_BYTES - len(GOOD))
    (tmp_path / "snapshot.json").write_bytes(GOOD + padding)
    assert (await open_store(tmp_path).load()).saved is not None

    (tmp_path / "snapshot.json").write_bytes(GOOD + padding + b" ")
    assert "too large" in (await open_store(tmp_path).load()).trouble


async def test_one_that_cannot_be_set_aside_either_stops_the_start(tmp_path: Path) -> None:
    """Going on would overwrite it at the first save."""
    with other_user.open_public_directory() as directory:
        mount = directory / "state"
        mount.mkdir()
        (mount / "snapshot.json").write_bytes(b"damaged")
        script = (
            "import sys, trio; from pathlib import Path\n"
            "from antidriftd.adapters.store.snapshot import FileSnapshotStore as Store\n"
            "trio.run(Store(Path(sys.argv[1]), lambda: 0.0).load)"
        )
        ended = other_user.run_read_only(mount, script, str(mount / "snapshot.json"))

        assert b"StoreError" in ended.stderr
        assert b"nor set aside" in ended.stderr
        assert (mount / "snapshot.json").read_bytes() == b"damaged"


# --- which file it is ------------------------------------------------------------------------


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        await open_store(tmp_path).save(planned("read"))
    finally:
        os.umask(before)

    assert (tmp_path / "snapshot.json").stat().st_mode & 0o777 == 0o600
    assert names(tmp_path) == ["snapshot.json"]


@pytest.mark.parametrize("leftover", ["a file", "a link", "a dangling link"])
async def test_a_temporary_file_that_was_left_is_replaced(tmp_path: Path, leftover: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    temporary = tmp_path / "snapshot.json.tmp"
    match leftover:
        case "a file":
            temporary.write_text("half a snapsh")
        case "a link":
            temporary.symlink_to(precious)
        case _:
            temporary.symlink_to("nowhere")
    await open_store(tmp_path).save(planned("read"))

    assert precious.read_text() == "precious"
    assert not temporary.is_symlink()
    assert not (tmp_path / "nowhere").exists()
    assert await open_store(tmp_path).load() == Loaded(planned("read"))


async def test_a_link_of_ours_is_followed_and_its_target_replaced(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    target = elsewhere / "kept.json"
    target.write_bytes(encode(planned("read")))
    link = home / "snapshot.json"
    link.symlink_to("hop.json")
    (home / "hop.json").symlink_to("../elsewhere/kept.json")
    store = open_store(home)

    assert await store.load() == Loaded(planned("read"))
    await store.save(planned("write"))
    assert link.is_symlink()
    assert target.read_bytes() == encode(planned("write"))
    assert names(elsewhere) == ["kept.json"]


async def test_a_link_to_what_cannot_be_read_is_set_aside_and_its_target_left(
    tmp_path: Path,
) -> None:
    """The target may be anything, and a daemon of root's may rename everything."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.json").write_bytes(b"damaged")
    (tmp_path / "snapshot.json").symlink_to("elsewhere/kept.json")
    store = open_store(tmp_path)
    loaded = await store.load()
    await store.save(planned("read"))

    aside = tmp_path / f"snapshot.json.unreadable-{_DAY}"
    assert str(aside) in loaded.trouble
    assert (aside.is_symlink(), aside.read_bytes()) == (True, b"damaged")
    assert names(elsewhere) == ["kept.json"]
    assert (tmp_path / "snapshot.json").read_bytes() == encode(planned("read"))


async def test_a_link_of_another_user_is_refused(tmp_path: Path) -> None:
    other_user.need_to_be_root()
    target = tmp_path / "target.json"
    target.write_bytes(GOOD)
    link = tmp_path / "snapshot.json"
    link.symlink_to(target)
    os.lchown(link, other_user.UID, other_user.UID)
    with pytest.raises(UnsafeStore, match="another user"):
        await open_store(tmp_path).load()
    with pytest.raises(StoreError):
        await open_store(tmp_path).save(planned("read"))

    assert target.read_bytes() == GOOD
    assert link.is_symlink()


async def test_text_that_no_file_can_hold_is_a_refused_save(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        await open_store(tmp_path).save(planned("half \ud800 a pair"))

    assert names(tmp_path) == []
