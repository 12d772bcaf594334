"""Locks and private directories; tests/faults has what others may have planted there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from antidriftd.runtime.ownership import AlreadyRunning, UnsafePath, hold_lock, make_private_dir


def test_a_lock_is_held_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold_lock(path, "socket /run/s"):
        with pytest.raises(AlreadyRunning) as refused:
            hold_lock(path, "socket /run/other")
        assert str(refused.value) == f"already running: pid {os.getpid()}, socket /run/s"
    with hold_lock(path, "socket /run/other"):
        assert path.read_text() == f"pid {os.getpid()}, socket /run/other\n"


def test_who_holds_it_is_told_also_when_nothing_was_written(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold_lock(path, "") as lock:
        lock.truncate(0)
        with pytest.raises(AlreadyRunning, match="another antidriftd"):
            hold_lock(path, "")


@pytest.mark.parametrize("left", [b"", b"pid 1, socket /x\n" * 1000, b"\xff\x00"])
def test_what_an_earlier_holder_left_is_replaced(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "lock"
    path.write_bytes(left)
    with hold_lock(path, "socket /run/s"):
        assert path.read_text() == f"pid {os.getpid()}, socket /run/s\n"


def test_a_lock_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with hold_lock(tmp_path / "lock", ""):
            assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_program_that_is_started_does_not_hold_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = hold_lock(path, "")
    command = [sys.executable, "-c", "print('runs', flush=True); input()"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, close_fds=False) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"runs\n"
        lock.close()
        with hold_lock(path, ""):
            child.kill()


def test_the_disk_need_not_take_the_name_of_the_holder(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from antidriftd.runtime.ownership import hold_lock\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "with hold_lock(Path(sys.argv[1]), ''): print('held')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "held\n"


def test_a_private_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        make_private_dir(tmp_path / "a" / "b")
    finally:
        os.umask(before)

    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_a_directory_below_a_file_is_unsafe(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnsafePath, match="not a directory"):
        make_private_dir(tmp_path / "file" / "b")
