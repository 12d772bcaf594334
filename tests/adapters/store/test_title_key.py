"""The key of the titles: made once, for its owner's eyes, and never a weak one."""

import os
import stat
from pathlib import Path

import pytest

from antidriftd.adapters.store.port import StoreError, UnsafeStore
from antidriftd.adapters.store.title_key import title_key
from tests import other_user


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "title.key"


def test_it_is_made_once(path: Path) -> None:
    key = title_key(path, synced=True)

    assert len(key) == 32
    assert title_key(path, synced=True) == key
    assert [each.name for each in path.parent.iterdir()] == ["title.key"]


def test_no_two_are_alike(tmp_path: Path) -> None:
    assert title_key(tmp_path / "one", synced=True) != title_key(tmp_path / "other", synced=False)


def test_it_is_its_owners_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        title_key(path, synced=True)
    finally:
        os.umask(before)

    assert stat.filemode(path.stat().st_mode) == "-rw-------"


def test_what_a_power_cut_left_of_one_is_replaced(path: Path) -> None:
    path.with_name("title.key.tmp").write_bytes(b"half")

    assert len(title_key(path, synced=True)) == 32


@pytest.mark.parametrize("text", [b"", b"\1" * 31, b"\1" * 33])
def test_one_of_another_length_is_refused(path: Path, text: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(text)
    with pytest.raises(StoreError, match="32 bytes"):
        title_key(path, synced=True)

    assert path.read_bytes() == text


def test_one_that_others_can_read_is_refused(path: Path) -> None:
    title_key(path, synced=True)
    path.chmod(0o640)
    with pytest.raises(UnsafeStore, match=str(path)):
        title_key(path, synced=True)


def test_a_link_is_not_followed(path: Path, tmp_path: Path) -> None:
    title_key(tmp_path / "elsewhere", synced=True)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match=str(path)):
        title_key(path, synced=True)


def test_a_fifo_does_not_block(path: Path) -> None:
    os.mkfifo(path, 0o600)
    with pytest.raises(UnsafeStore):
        title_key(path, synced=True)


def test_somebody_elses_is_refused(path: Path) -> None:
    other_user.need_to_be_root()
    title_key(path, synced=True)
    os.chown(path, other_user.UID, -1)
    with pytest.raises(UnsafeStore):
        title_key(path, synced=True)


def test_a_directory_that_is_gone_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "title.key"
    with pytest.raises(StoreError) as refusal:
        title_key(path, synced=True)

    assert str(refusal.value) == f"{path}: No such file or directory"
