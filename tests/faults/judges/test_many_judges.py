"""Five hundred programs that end in every way: each is told right, and none leaves a thing."""

import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
import trio

from antidriftd.programs.process import Ending, Outcome
from tests.faults.findings import Findings
from tests.faults.table import Fault, Tell, control
from tests.programs.running import run
from tests.programs.test_leftovers import zombies

RUNS = 500
AT_A_TIME = 4
_HARMLESS = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
_STOPPING = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
SIGNALS = [each for each in signal.valid_signals() if each not in _HARMLESS | _STOPPING]
ENDINGS = [*range(256), *(-number for number in SIGNALS)]

Run: TypeAlias = Callable[[str, int], Awaitable[Outcome]]


def write_program(folder: Path) -> str:
    """Write a program that ends as its argument says: with a code, or by a signal."""
    path = folder / "ends"
    path.write_text("#!/bin/sh\ncase $1 in -*) kill $1 $$; sleep 60;; *) exit $1;; esac\n")
    path.chmod(0o755)
    return str(path)


def left(private: Path) -> tuple[int, int, list[str], list[Path]]:
    return (
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path("/proc/self/task").iterdir())),
        zombies(),
        list(private.iterdir()),
    )


async def end_many(folder: Path, endings: Sequence[int], run_one: Run) -> Findings:
    """Run a program for each of `endings`; note what is told wrong, and what is left."""
    found = Findings(runs=len(endings))
    program, private = write_program(folder), folder / "private"
    limit = trio.CapacityLimiter(AT_A_TIME)

    async def one(ending: int) -> None:
        async with limit:
            outcome = await run_one(program, ending)
        right = outcome == Outcome(b"", b"", Ending.EXITED, ending)
        found.look(f"{ending} is told as {outcome}", is_right=right)

    async with trio.open_nursery() as nursery:  # so that all the threads there are have begun
        for _ in range(AT_A_TIME):
            nursery.start_soon(one, 0)
    before = left(private)
    async with trio.open_nursery() as nursery:
        for ending in endings:
            nursery.start_soon(one, ending)
    after = left(private)
    found.look(f"left: {before}, then {after}", is_right=_no_more(before, after))
    return found


def _no_more(
    before: tuple[int, int, list[str], list[Path]], after: tuple[int, int, list[str], list[Path]]
) -> bool:
    # Threads that have nothing to do end by themselves, so there may be fewer.
    return before[0] == after[0] and after[1] <= before[1] + 1 and before[2:] == after[2:]


async def run_well(program: str, ending: int) -> Outcome:
    return await run(program, str(ending))


async def control_run(folder: Path) -> Findings:
    """Leave a descriptor open at each run, and tell an end by a signal as an exit."""
    with ExitStack() as opened:

        async def run_badly(program: str, ending: int) -> Outcome:
            opened.enter_context(socket.socket())
            outcome = await run(program, str(ending))
            return Outcome(b"", b"", outcome.ending, abs(outcome.exit_code or 0))

        return await end_many(folder, (0, 1, -signal.SIGKILL, -signal.SIGTERM), run_badly)


@pytest.mark.timeout(240)
async def test_five_hundred_endings_are_told_right_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell_fault: Tell
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    found = await end_many(tmp_path, (ENDINGS * 2)[:RUNS], run_well)
    caught = await control_run(tmp_path)
    misreported = any(each.startswith("-9 is told") for each in caught.wrong)
    leaked = any(each.startswith("left:") for each in caught.wrong)
    wrong, told = len(found.wrong), control(is_caught=misreported)
    tell_fault(Fault("F32", "judge that can't run or fails", RUNS, wrong, told))
    tell_fault(Fault("F34", "500 judges in a row", RUNS, wrong, control(is_caught=leaked)))
    tell_fault(Fault("F35", "exit status honesty", RUNS, wrong, told))

    assert found.wrong == []
    assert leaked
    assert misreported
