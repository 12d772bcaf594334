"""The faults of the store and of the socket, as often as a release is worth."""

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio

from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.clients import Client
from tests.daemons import Daemon, open_daemon
from tests.faults.forks import open_forked, open_forks
from tests.faults.table import Fault, Tell
from tests.faults.test_every_call import ERRORS, IN_ONE_THREAD, REFUSED, refuse_at, try_all
from tests.faults.test_kills import KILLED, kill_again_and_again, missing_in_history
from tests.rpc.test_fuzz import MUTATED, mutated

KILLS = 2_000
FRAMES = 1_000_000
BLOCK = 5_000


@pytest.mark.timeout(7200)
async def test_no_acknowledged_command_is_lost_in_2000_kills(
    tmp_path: Path, tell_fault: Tell
) -> None:
    with open_forks() as forks:
        async with open_forked(forks, tmp_path) as daemon:
            ledger = await kill_again_and_again(daemon, 20_261_201, KILLS)
            missing = await missing_in_history(daemon, KILLS)
            loaded = await FileSnapshotStore(daemon.home.snapshot, lambda: 0.0).load()
    tell_fault(Fault("F1", KILLED, KILLS, len(ledger.lost) + len(missing)))

    assert (ledger.lost, missing, loaded.trouble) == ([], [], "")


async def ask(daemon: Daemon, data: bytes) -> None:
    """Send and read at the same time: who doesn't read isn't read from."""

    async def send(client: Client) -> None:
        with suppress(trio.BrokenResourceError):
            await client.send(data)
            await client.end_sending()

    async with daemon.connect() as client, trio.open_nursery() as nursery:
        nursery.start_soon(send, client)
        await client.receive_rest()


@pytest.mark.timeout(7200)
async def test_a_million_mutated_frames_end_no_daemon(tmp_path: Path, tell_fault: Tell) -> None:
    rng = random.Random(20_261_201)  # noqa: S311  # the same frames in every run
    async with open_daemon(tmp_path) as daemon:
        for _ in range(0, FRAMES, BLOCK):
            await ask(daemon, b"".join(mutated(rng) + b"\n" for _ in range(BLOCK)))
        is_bad = "Traceback" in daemon.log
        tell_fault(Fault("F20", MUTATED, FRAMES, int(is_bad)))

        assert not is_bad
        assert (await daemon.request("info"))["pid"] == daemon.pid


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shift", range(1, len(ERRORS)))
async def test_whatever_call_is_refused_with_any_error_the_answer_is_true(
    place: Path, tell_fault: Tell, shift: int
) -> None:
    with open_forks(IN_ONE_THREAD) as forks:
        count, fired, wrong = await try_all(forks, place, partial(refuse_at, shift=shift))
    tell_fault(Fault("F3", REFUSED, count, len(wrong) + count - fired))

    assert wrong == []
    assert fired == count


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a short name, as a socket's must be, where nothing waits for a disk."""
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)
