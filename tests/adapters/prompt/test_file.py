"""The prompt file on a real disk."""

from pathlib import Path

import pytest
import trio

from antidriftd.adapters.prompt.file import RuntimePromptFile


async def test_it_is_replaced_as_a_whole_and_private(tmp_path: Path) -> None:
    path = trio.Path(tmp_path / "prompt")
    file = RuntimePromptFile(tmp_path / "prompt")
    await file.write(b"first\n")
    inode = (await path.stat()).st_ino
    await file.write(b"second\n")

    assert await path.read_bytes() == b"second\n"
    assert (await path.stat()).st_ino != inode
    assert (await path.stat()).st_mode & 0o777 == 0o600
    assert [entry.name for entry in await path.parent.iterdir()] == ["prompt"]


async def test_a_reader_never_sees_half_a_line(tmp_path: Path) -> None:
    path = tmp_path / "prompt"
    file = RuntimePromptFile(path)
    lines = [b"a" * 60 + b"\n", b"b" * 60 + b"\n"]
    await file.write(lines[0])
    seen = set()

    async def write() -> None:
        for number in range(300):
            await file.write(lines[number % 2])

    async def read() -> None:
        for _ in range(300):
            seen.add(await trio.Path(path).read_bytes())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(write)
        nursery.start_soon(read)

    assert seen
    assert seen <= set(lines)


async def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_bytes(b"kept")
    (tmp_path / "prompt.new").symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        await RuntimePromptFile(tmp_path / "prompt").write(b"line\n")

    assert target.read_bytes() == b"kept"


async def test_it_is_taken_away_and_nothing_there_is_fine(tmp_path: Path) -> None:
    file = RuntimePromptFile(tmp_path / "prompt")
    file.remove()
    await file.write(b"line\n")
    file.remove()

    assert not await trio.Path(tmp_path / "prompt").exists()
