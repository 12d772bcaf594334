"""A judge that won't end: the daemon answers meanwhile, and takes it along when it ends itself."""

import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests.daemons import PROGRAM, Daemon, open_daemon
from tests.fakes import ai
from tests.faults.broken import broken_program
from tests.faults.findings import Findings
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.meter import open_meter
from tests.faults.table import Fault, Tell, control

ENDS = 5
AT_ONCE = 3
"""Most of the time is spent waiting."""
TERM_WITHIN_SECS = 5.0
KILL_WITHIN_SECS = 35.0
LIMIT_SECS = 2.0
GONE_WITHIN_SECS = 30.0

ENOUGH = 5
"""So often the daemon answers in each part of a judge's life, all of which last for seconds."""

WORST = f"{ai.CHILDREN['forks on']}; deaf(); sleep()"
NOTES_ITS_END = f"""
signal.signal(signal.SIGTERM, lambda *_: open(sys.argv[0] + ".told", "w"))
{ai.CHILDREN["forks on"]}
sleep()
"""

WITHOUT_A_WARD = """
import subprocess, trio
from antidriftd.programs import process
async def start(argv, environ, private, control):
    return await trio.lowlevel.open_process(
        list(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environ, start_new_session=True)
process._start_ward = start
"""
WAITS_ON_THE_LOOP = f"""
import time
from antidriftd.programs import process
async def wait(self):
    patience = time.monotonic() + {LIMIT_SECS}
    while self._process.poll() is None and time.monotonic() < patience:
        time.sleep(0.1)
process._Guard.wait = wait
"""


@asynccontextmanager
async def open_judged(
    directory: Path, judge: str, program: Sequence[str] = PROGRAM
) -> AsyncIterator[Daemon]:
    """Start a daemon whose judge has begun to think."""
    recording = directory / "day.jsonl"
    recording.write_text('{"at": 0, "class": "supertux", "title": "SuperTux"}\n')
    async with open_daemon(
        directory,
        sensor=f"replay:{recording}",
        ai="command",
        env={"ANTIDRIFT_AI_CMD": judge},
        config=f"[drift]\ndwell_secs = 0\n[ai]\njudge_timeout_secs = {LIMIT_SECS:g}\n",
        program=program,
    ) as daemon:
        yield daemon


async def is_gone(judge: str, secs: float) -> bool:
    with suppress(trio.TooSlowError):
        await ai.wait_processes(judge, present=False, timeout_secs=secs)
        return True
    return False


def end_all(judge: str) -> None:
    for pid in ai.processes_named(judge):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def hang(directory: Path, times: int, program: Sequence[str] = PROGRAM) -> Findings:
    """Have a judge that forks on and won't end; ask the daemon meanwhile."""
    found = Findings()
    judge = ai.write_program(directory, NOTES_ITS_END)
    async with open_judged(directory, judge, program) as daemon:
        await hang_once(daemon, judge, found)  # what is loaded for the first judgment stays
        async with open_meter(daemon) as meter:
            for _ in range(times - 1):
                await hang_once(daemon, judge, found)
            await meter.tell(found)
        found.look_at_log(daemon.log, max_lines=20)
    end_all(judge)
    return found


async def hang_once(daemon: Daemon, judge: str, found: Findings) -> None:
    """Have a session in which the judge is asked."""
    await daemon.request("start", next_action="write")
    await ai.wait_processes(judge, present=True)
    await ask_while_it_hangs(daemon, judge, found)
    found.runs += 1
    await daemon.request("complete")
    await daemon.request("review")


async def ask_while_it_hangs(daemon: Daemon, judge: str, found: Findings) -> None:
    """Ask until the judge is gone, and look how many answers came while it was there."""
    told = trio.Path(f"{judge}.told")
    thinking = ending = 0
    with trio.move_on_after(GONE_WITHIN_SECS):
        while ai.processes_named(judge):
            await daemon.request("state")
            if not await told.exists():
                thinking += 1
            elif ai.processes_named(judge):
                ending += 1
            await trio.sleep(0.01)
    found.look(f"{thinking} answers while it thinks", is_right=thinking >= ENOUGH)
    found.look(f"{ending} answers while it is ended", is_right=ending >= ENOUGH)
    found.look("it goes on", is_right=not ai.processes_named(judge))
    await told.unlink(missing_ok=True)


async def test_meanwhile_everybody_is_answered(tmp_path: Path, tell_fault: Tell) -> None:
    found = await hang(made(tmp_path, WHOLE), 2)
    caught = await hang(made(tmp_path, BROKEN), 1, broken_program(WAITS_ON_THE_LOOP))
    told = control(is_caught=any("answers while it thinks" in each for each in caught.wrong))
    tell_fault(Fault("F28", "judge that won't end", found.runs, len(found.wrong), told))
    tell_fault(Fault("T14", "hung or forking judge", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def end_daemon(
    directory: Path, number: signal.Signals, secs: float, program: Sequence[str] = PROGRAM
) -> Findings:
    """End a daemon whose judge thinks."""
    found = Findings(runs=1)
    judge = ai.write_program(directory, WORST)
    async with open_judged(directory, judge, program) as daemon:
        await daemon.request("start", next_action="write")
        await ai.wait_processes(judge, present=True)
        begun = trio.current_time()
        if number is signal.SIGTERM:
            code = await daemon.terminate()
            found.look(f"exit code {code}", is_right=code == 0)
            found.look("it is left", is_right=not ai.processes_named(judge))
        else:
            await daemon.kill()
            found.look("it is left", is_right=await is_gone(judge, secs))
        took = trio.current_time() - begun
        found.look(f"{took} s", is_right=took <= secs)
    end_all(judge)
    return found


@pytest.mark.timeout(240)
async def test_it_ends_with_the_daemon_however_that_ends(tmp_path: Path, tell_fault: Tell) -> None:
    found = Findings()
    limit = trio.CapacityLimiter(AT_ONCE)

    async def end(name: str, number: signal.Signals, secs: float) -> None:
        async with limit:
            found.wrong += (await end_daemon(made(tmp_path, name), number, secs)).wrong
        found.runs += 1

    async with trio.open_nursery() as nursery:
        for each in range(ENDS):
            nursery.start_soon(end, f"t{each}", signal.SIGTERM, TERM_WITHIN_SECS)
            nursery.start_soon(end, f"k{each}", signal.SIGKILL, KILL_WITHIN_SECS)
    caught = await end_daemon(
        made(tmp_path, BROKEN), signal.SIGKILL, 2, broken_program(WITHOUT_A_WARD)
    )
    told = control(is_caught="it is left" in caught.wrong)
    tell_fault(Fault("F33", "daemon ended during a judge", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
