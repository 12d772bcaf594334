"""The disk fails, or the daemon dies, at each call that the daemon makes about its snapshot."""

import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio

from tests.clients import Gone
from tests.faults.forks import Forks, open_forks
from tests.faults.scripted import BEFORE, SCRIPT, Life, Point, Told, on_disk, open_life
from tests.faults.table import Fault, Tell, control

AT_ONCE = 4
"""Most of the time is spent waiting."""
SAVED_WITHIN_SECS = 60.0
ERRORS = ("EIO", "ENOSPC", "EROFS", "EDQUOT")

KILLED = "killed at a call about the snapshot"
REFUSED = "a call about the snapshot refused"

IN_ONE_THREAD = """
import trio

async def in_this_thread(call, *arguments, **_):
    await trio.lowlevel.checkpoint()
    return call(*arguments)

trio.to_thread.run_sync = in_this_thread
"""
"""strace counts the calls of each thread, and which of Trio's works is chance."""

ANSWERS_FIRST = """
import trio
from antidriftd.adapters.store.snapshot import FileSnapshotStore

save = FileSnapshotStore.save

async def answer_first(self, saved):
    trio.lowlevel.spawn_system_task(save, self, saved)

FileSnapshotStore.save = answer_first
"""
"""A daemon that acknowledges what it has yet to save."""

HIDES_REFUSALS = """
from antidriftd.adapters.store.port import StoreError
from antidriftd.adapters.store.snapshot import FileSnapshotStore

save = FileSnapshotStore.save

async def save_or_not(self, saved):
    try:
        await save(self, saved)
    except StoreError:
        pass

FileSnapshotStore.save = save_or_not
"""
"""A daemon that acknowledges what the disk refused."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a short name, as a socket's must be, where nothing waits for a disk."""
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


Try = Callable[[Forks, Path, Point, Sequence[Told]], Awaitable[Life]]


async def rehearse(forks: Forks, directory: Path) -> tuple[list[Point], list[Told]]:
    """Play the script undisturbed; return its calls, and what is on disk before and after each."""
    async with open_life(forks, directory) as life:
        expected = [on_disk(life.snapshot)]
        assert await life.begin()
        async with life.daemon.connect() as client:
            for method, params in SCRIPT:
                assert (await client.request(method, **params))["durable"]
                expected.append(on_disk(life.snapshot))
        assert await life.daemon.terminate() == 0
    known = [each for each in expected if each is not None]
    assert len(set(known)) == 1 + len(SCRIPT)
    return life.points(), known


async def plan_of(directory: Path) -> list[Told]:
    """Return what a daemon that is as it should be has on disk before and after each command."""
    with open_forks(IN_ONE_THREAD) as forks:
        return (await rehearse(forks, directory / "rehearsal"))[1]


async def try_all(forks: Forks, directory: Path, attempt: Try) -> tuple[int, int, list[str]]:
    """Try each point; return how many there are, how many had their effect, and what was wrong."""
    points, expected = await rehearse(forks, directory / "rehearsal")
    fired: list[bool] = []
    wrong: list[str] = []
    limit = trio.CapacityLimiter(AT_ONCE)

    async def one(number: int, point: Point) -> None:
        async with limit:
            life = await attempt(forks, directory / f"{number}", point, expected)
            fired.append(life.has_fired)
            wrong.extend(f"{point}: {what}" for what in life.wrong)

    async with trio.open_nursery() as nursery:
        for number, point in enumerate(points):
            nursery.start_soon(one, number, point)
    return len(points), sum(fired), wrong


# --- a kill ----------------------------------------------------------------------------------


async def kill_at(forks: Forks, directory: Path, point: Point, expected: Sequence[Told]) -> Life:
    """Have the daemon die at a point: what was acknowledged is there, and it starts again."""
    inject = f"{point.name}:signal=KILL:when={point.number}"
    async with open_life(forks, directory, inject) as life:
        acknowledged = await tell_until_gone(life) if await life.begin() else 0
        life.look("it lives on", is_right=await life.daemon.terminate() == -signal.SIGKILL)
        left = on_disk(life.snapshot)
        # One more may have been saved whose acknowledgement was not sent.
        possible = expected[acknowledged : acknowledged + 2]
        life.look(f"{left} instead of {possible}", is_right=left in possible)
        await life.daemon.start()
        method, params = ("extend", {"secs": 1}) if left and left[0] == "active" else BEFORE
        state = await life.daemon.request(method, **params)
        life.look("it lost something", is_right=state["durable"] and "notices" not in state)
    return life


async def tell_until_gone(life: Life) -> int:
    """Tell the script; return how many of its commands were acknowledged."""
    acknowledged = 0
    with suppress(Gone, OSError, trio.BrokenResourceError):
        async with life.daemon.connect() as client:
            for method, params in SCRIPT:
                await client.request(method, **params)
                acknowledged += 1
    return acknowledged


@pytest.mark.timeout(600)
async def test_killed_at_any_call_nothing_acknowledged_is_lost(
    place: Path, tell_fault: Tell
) -> None:
    with open_forks(IN_ONE_THREAD) as forks:
        count, fired, wrong = await try_all(forks, place, kill_at)
    tell_fault(Fault("F2", KILLED, count, len(wrong) + count - fired))

    assert wrong == []
    assert fired == count >= 60


async def test_a_daemon_that_answers_before_it_saves_is_caught(
    place: Path, tell_fault: Tell
) -> None:
    with open_forks(IN_ONE_THREAD + ANSWERS_FIRST) as forks:
        life = await kill_at(forks, place / "life", Point("write", 6), await plan_of(place))
    is_caught = life.has_fired and any("instead of" in what for what in life.wrong)
    tell_fault(Fault("F2", KILLED, 0, 0, control(is_caught=is_caught)))

    assert is_caught


# --- a refusal -------------------------------------------------------------------------------


async def refuse_at(
    forks: Forks, directory: Path, point: Point, expected: Sequence[Told], shift: int = 0
) -> Life:
    """Have a call fail: each answer says what is true, and what it lacks is saved by itself.

    With each `shift` it is another error.
    """
    error = ERRORS[(point.number + shift) % len(ERRORS)]
    inject = f"{point.name}:error={error}:when={point.number}"
    async with open_life(forks, directory, inject) as life:
        before = life.snapshot.read_bytes()
        if not await life.begin():
            refusal = life.daemon.log.splitlines()[-1]
            is_told = await life.daemon.wait() == 1 and refusal.startswith("antidriftd: ")
            life.look(f"no start: {refusal}", is_right=is_told)
            life.look("changed", is_right=life.snapshot.read_bytes() == before)
            return life
        loaded = await life.daemon.request("state")
        kept = [path.read_bytes() for path in life.snapshot.parent.glob("*.unreadable-*")]
        life.look("the old one is gone", is_right=("notices" in loaded) == (kept == [before]))
        for (method, params), wanted in zip(SCRIPT, expected[1:], strict=True):
            state = await life.daemon.request(method, **params)
            if not state["durable"]:
                life.look("it isn't said", is_right=bool(state.get("notices")))
                with trio.move_on_after(SAVED_WITHIN_SECS):
                    await life.daemon.wait_state(lambda state: bool(state["durable"]))
            left = on_disk(life.snapshot)
            life.look(f"{left} instead of {wanted}", is_right=left == wanted)
        life.look("it didn't stop", is_right=await life.daemon.terminate() == 0)
        left = on_disk(life.snapshot)
        life.look(f"{left} in the end", is_right=left == expected[-1])
    return life


@pytest.mark.timeout(600)
async def test_whatever_call_is_refused_the_answer_is_true_and_it_is_saved_later(
    place: Path, tell_fault: Tell
) -> None:
    with open_forks(IN_ONE_THREAD) as forks:
        count, fired, wrong = await try_all(forks, place, refuse_at)
    tell_fault(Fault("F3", REFUSED, count, len(wrong) + count - fired))

    assert wrong == []
    assert fired == count >= 60


async def test_a_daemon_that_hides_a_refusal_is_caught(place: Path, tell_fault: Tell) -> None:
    with open_forks(IN_ONE_THREAD + HIDES_REFUSALS) as forks:
        point, expected = Point("write", 6), await plan_of(place)
        life = await refuse_at(forks, place / "life", point, expected)
    is_caught = life.has_fired and any("instead of" in what for what in life.wrong)
    tell_fault(Fault("F3", REFUSED, 0, 0, control(is_caught=is_caught)))

    assert is_caught
