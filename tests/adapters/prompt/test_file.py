"""The prompt file on a real disk."""

import threading
from pathlib import Path

import pytest

from antidriftd.adapters.prompt.file import RuntimePromptFile


def test_it_is_replaced_as_a_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "prompt"
    file = RuntimePromptFile(path)
    file.write(b"first\n")
    inode = path.stat().st_ino
    file.write(b"second\n")

    assert path.read_bytes() == b"second\n"
    assert path.stat().st_ino != inode
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["prompt"]


def test_a_reader_never_sees_half_a_line(tmp_path: Path) -> None:
    file = RuntimePromptFile(tmp_path / "prompt")
    lines = [b"a" * 60 + b"\n", b"b" * 60 + b"\n"]
    file.write(lines[0])
    seen = set()

    def write() -> None:
        for number in range(1000):
            file.write(lines[number % 2])

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        seen.add((tmp_path / "prompt").read_bytes())
    writer.join()

    assert seen
    assert seen <= set(lines)


def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_bytes(b"kept")
    (tmp_path / "prompt.new").symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        RuntimePromptFile(tmp_path / "prompt").write(b"line\n")

    assert target.read_bytes() == b"kept"


def test_it_is_taken_away_and_nothing_there_is_fine(tmp_path: Path) -> None:
    file = RuntimePromptFile(tmp_path / "prompt")
    file.remove()
    file.write(b"line\n")
    file.remove()

    assert list(tmp_path.iterdir()) == []
