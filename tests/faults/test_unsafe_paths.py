"""What others have planted where the daemon keeps its files: refused, and left as it was."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import other_user
from tests.daemons import Home, make_home, run_daemon
from tests.faults.forks import Forks, open_forked

EX_CONFIG = 78


def give_away(path: Path) -> None:
    other_user.need_to_be_root()
    os.lchown(path, other_user.UID, other_user.UID)


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(os.fspath(path))


def directory(mode: int) -> Callable[[Path], None]:
    def plant(path: Path) -> None:
        path.mkdir()
        path.chmod(mode)

    return plant


def plant_file(path: Path) -> None:
    path.write_text("precious")


def plant_loop(path: Path) -> None:
    path.symlink_to(path.name)


def plant_dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def plant_link(path: Path) -> None:
    target = path.with_name("target")
    target.mkdir(mode=0o700)
    path.symlink_to(target)


def plant_file_link(path: Path) -> None:
    path.with_name("target").write_text("precious")
    path.symlink_to("target")


def foreign(plant: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return what plants the same as another user."""

    def plant_as_other(path: Path) -> None:
        plant(path)
        give_away(path)

    return plant_as_other


def plant_link_to_foreign(path: Path) -> None:
    plant_link(path)
    give_away(path.with_name("target"))


DIRECTORIES: dict[str, Callable[[Path], None]] = {
    "that everybody can write": directory(0o777),
    "that the group can write": directory(0o770),
    "that others can write": directory(0o702),
    "like /tmp": directory(0o1777),
    "of another user": foreign(directory(0o700)),
    "of another user, open to all": foreign(directory(0o777)),
    "behind a link of another user": foreign(plant_link),
    "of another user behind a link": plant_link_to_foreign,
    "that is a file": plant_file,
    "that is a FIFO": os.mkfifo,
    "that is a socket": bind,
    "that is a dangling link": plant_dangling,
    "that is a link to itself": plant_loop,
}
SOCKETS: dict[str, Callable[[Path], None]] = {
    "a file": plant_file,
    "a directory": directory(0o700),
    "a FIFO": os.mkfifo,
    "a link to a file": plant_file_link,
    "a dangling link": plant_dangling,
    "a socket of another user": foreign(bind),
}
LOCKS: dict[str, Callable[[Path], None]] = {
    "a link to a file": plant_file_link,
    "a dangling link": plant_dangling,
    "a directory": directory(0o700),
    "a FIFO": os.mkfifo,
    "a socket": bind,
    "a file of another user": foreign(plant_file),
}
SNAPSHOTS: dict[str, Callable[[Path], None]] = {
    "a link of another user": foreign(plant_file_link),
}
PLACES: dict[str, tuple[Callable[[Home], Path], dict[str, Callable[[Path], None]]]] = {
    "socket directory": (lambda home: home.socket.parent, DIRECTORIES),
    "state directory": (lambda home: home.state_dir, DIRECTORIES),
    "socket": (lambda home: home.socket, SOCKETS),
    "lock of the socket": (lambda home: home.socket.with_name("antidrift.sock.lock"), LOCKS),
    "lock of the state": (lambda home: home.state_dir / "lock", LOCKS),
    "snapshot": (lambda home: home.snapshot, SNAPSHOTS),
}
CASES = [
    pytest.param(where, plant, id=f"{place}: {name}")
    for place, (where, plants) in PLACES.items()
    for name, plant in plants.items()
]


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def look(path: Path) -> list[tuple[str, int, int, int, object]]:
    """Return what can be told of a path and of all beside and in it."""
    seen = []
    for entry in sorted(path.parent.rglob("*")):
        found = entry.lstat()
        content: object = None
        if entry.is_symlink():
            content = entry.readlink()
        elif entry.is_file():
            content = entry.read_bytes()
        if path in (entry, *entry.parents) or "target" in entry.name:
            seen.append((str(entry), found.st_ino, found.st_mode, found.st_uid, content))
    return seen


@pytest.mark.parametrize(("where", "plant"), CASES)
@pytest.mark.fault("T2", "planted files and directories")
async def test_what_is_not_safe_is_refused_and_left_as_it_was(
    tmp_path: Path, where: Callable[[Home], Path], plant: Callable[[Path], None], forks: Forks
) -> None:
    async with open_forked(forks, tmp_path, started=False) as daemon:
        path = where(daemon.home)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        plant(path)
        before = look(path)
        await daemon.launch()

        assert await daemon.wait() == EX_CONFIG, daemon.log
        assert daemon.log.count("\n") == 1
        assert str(path) in daemon.log
        assert look(path) == before


@pytest.mark.parametrize(
    "plant", [directory(0o700), directory(0o755), plant_link], ids=["0700", "0755", "a link"]
)
@pytest.mark.parametrize("place", ["socket directory", "state directory"])
@pytest.mark.fault("T2", "planted files and directories", is_control=True)
async def test_a_directory_of_ours_is_taken_as_it_is(
    tmp_path: Path, place: str, plant: Callable[[Path], None], forks: Forks
) -> None:
    async with open_forked(forks, tmp_path, started=False) as daemon:
        path = PLACES[place][0](daemon.home)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        plant(path)
        mode = path.stat().st_mode
        await daemon.start()

        assert (await daemon.request("plan", intent="read"))["durable"]
        assert path.stat().st_mode == mode


async def test_nothing_of_another_user_is_unlinked_in_a_shared_directory(tmp_path: Path) -> None:
    shared = tmp_path / "tmp"
    directory(0o1777)(shared)
    plant_file(shared / "antidrift.sock")
    home = make_home(tmp_path, env={"ANTIDRIFT_SOCKET": str(shared / "antidrift.sock")})
    ended = await run_daemon(home)

    assert ended.code == EX_CONFIG
    assert names(shared) == ["antidrift.sock"]
