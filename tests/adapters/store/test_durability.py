"""A save under strace: in which order it asks the disk, and what each refusal or kill leaves."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store.codec import encode
from antidriftd.adapters.store.port import Loaded
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.adapters.store.samples import planned

SAVE = """
import os, sys, trio
from pathlib import Path
from antidriftd.adapters.store.port import StoreError
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from antidriftd.core.restore import Saved
from antidriftd.core.state import Planning

{patch}
store = FileSnapshotStore(Path(sys.argv[1]), lambda: 0.0)
try:
    trio.run(store.save, Saved(revision=1, boot_id="boot", phase=Planning("new")))
except StoreError as error:
    sys.exit(str(error))
"""
NO_SYNC = "os.fsync = lambda descriptor: None"

STEPS = [
    ("openat", "snapshot.json.tmp"),
    ("write", "snapshot.json.tmp"),
    ("fsync", "snapshot.json.tmp"),
    ("close", "snapshot.json.tmp"),
    ("rename", "snapshot.json.tmp"),
    ("openat", ""),
    ("fsync", ""),
    ("close", ""),
]
"""Each call and the name of the file it is about; the directory's is empty."""

_CALL = re.compile(r'(\w+)\((?:\d+<|AT_FDCWD<[^>]*>, ")?"?(?P<path>[^">]*)')


@dataclass(frozen=True, slots=True)
class Traced:
    """How a save went."""

    code: int
    message: str
    calls: list[tuple[str, str]]
    injected: bool


def save_under_strace(directory: Path, *options: str, only: str = "*", patch: str = "") -> Traced:
    """Save in `directory`; strace sees the calls about the file `only`, or about all of ours."""
    names = ["", "snapshot.json", "snapshot.json.tmp"] if only == "*" else [only]
    paths = [argument for name in names for argument in ("-P", str(directory / name))]
    log = directory.parent / "strace.log"
    command = ["strace", "-f", "-y", "-qq", "-o", str(log)]
    command += ["-e", "trace=openat,write,fsync,rename,unlink,close", *options, *paths]
    command += [sys.executable, "-c", SAVE.format(patch=patch), str(directory / "snapshot.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    text = log.read_text()
    calls = [
        (found[1], Path(found["path"]).relative_to(directory).name)
        for found in _CALL.finditer(text)
        if found["path"].startswith(str(directory))
    ]
    return Traced(done.returncode, done.stderr, calls, "(INJECTED)" in text or "+++ killed" in text)


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    """A state directory with an old snapshot in it."""
    directory = tmp_path / "state"
    directory.mkdir()
    (directory / "snapshot.json").write_bytes(encode(planned("old")))
    return directory


def keeps_the_order(traced: Traced) -> bool:
    return [call for call in traced.calls if call[0] != "unlink"] == STEPS


@pytest.mark.fault("F4", "power cut during a save")
def test_a_save_is_written_synced_renamed_and_the_directory_synced(state_dir: Path) -> None:
    traced = save_under_strace(state_dir)

    assert traced.code == 0
    assert keeps_the_order(traced), traced.calls


def test_a_save_that_syncs_nothing_is_caught(state_dir: Path) -> None:
    traced = save_under_strace(state_dir, patch=NO_SYNC)

    assert traced.code == 0
    assert not keeps_the_order(traced)


POINTS = [
    ("unlink", "1", "*"),
    ("openat", "1+", "snapshot.json.tmp"),
    ("write", "1", "*"),
    ("fsync", "1", "*"),
    ("close", "1", "*"),
    ("rename", "1", "*"),
    ("openat", "1+", ""),
    ("fsync", "2", "*"),
    ("close", "2", "*"),
]
"""Every call of a save: its name, which of those, and which file is meant."""
ERRORS = ["EIO", "ENOSPC", "EROFS", "EDQUOT"]


@pytest.mark.parametrize(("number", "point"), list(enumerate(POINTS)), ids=map(str, POINTS))
@pytest.mark.fault("F3", "a call about the snapshot refused")
def test_whatever_the_disk_refuses_a_whole_snapshot_is_left(
    state_dir: Path, number: int, point: tuple[str, str, str]
) -> None:
    call, when, only = point
    error = ERRORS[number % len(ERRORS)]
    traced = save_under_strace(
        state_dir, "-e", f"inject={call}:error={error}:when={when}", only=only
    )
    left = (state_dir / "snapshot.json").read_bytes()

    assert traced.injected
    assert traced.code == 1
    assert traced.message.startswith(f"{state_dir}/snapshot.json: ")
    assert traced.message.count("\n") == 1
    assert left in {encode(planned("old")), encode(planned("new"))}
    assert [path.name for path in state_dir.iterdir()] == ["snapshot.json"]


@pytest.mark.parametrize("point", POINTS, ids=str)
@pytest.mark.fault("F2", "killed at a call about the snapshot")
def test_whenever_it_is_killed_a_whole_snapshot_is_left(
    state_dir: Path, point: tuple[str, str, str]
) -> None:
    call, when, only = point
    traced = save_under_strace(state_dir, "-e", f"inject={call}:signal=KILL:when={when}", only=only)
    store = FileSnapshotStore(state_dir / "snapshot.json", lambda: 0.0)

    assert traced.injected
    assert trio.run(store.load) in [Loaded(planned("old")), Loaded(planned("new"))]
    trio.run(store.save, planned("next"))
    assert trio.run(store.load) == Loaded(planned("next"))
    assert [path.name for path in state_dir.iterdir()] == ["snapshot.json"]
