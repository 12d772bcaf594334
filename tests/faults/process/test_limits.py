"""Little memory, no processes, and a log that can't be written: the session goes on."""

import resource
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import trio

from tests.clients import Gone, Refused
from tests.daemons import PROGRAM, Daemon, open_daemon
from tests.fakes import ai
from tests.faults.broken import broken_program
from tests.faults.findings import Findings
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.meter import open_meter
from tests.faults.table import Fault, Tell, control
from tests.x11 import kept_display, open_x_server

ADDED_KIB = 32 * 1024
"""What a daemon may take of memory beyond what it has when it is idle."""


def data_kib(pid: int) -> int:
    """Return how much memory a process may write to, in KiB: proc(5), VmData."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no memory")


async def flood(daemon: Daemon) -> None:
    """Send what would fill the memory of a daemon that keeps what it gets."""
    async with AsyncExitStack() as stack:
        for number in range(60):
            client = await stack.enter_async_context(daemon.connect())
            with suppress(trio.BrokenResourceError, Gone, Refused):
                match number % 3:
                    case 0:
                        await client.send(b"x" * 2_000_000)
                    case 1:
                        await client.send(b"[" * 60_000 + b"\n")
                    case _:
                        await client.request("watch")


async def flood_all(daemon: Daemon, found: Findings) -> None:
    """Have clients and an AI program send too much at once."""
    found.runs += 1
    await daemon.request("coach", intent=str(found.runs))
    await flood(daemon)
    state = await daemon.wait_state(lambda state: state["coach"]["status"] == "error")
    found.look("a flood counts", is_right="was ended after printing" in state["coach"]["error"])


async def test_in_little_memory_floods_are_survived(tmp_path: Path, tell_fault: Tell) -> None:
    found = Findings()
    program = ai.write_program(tmp_path, ai.floods(1))
    env = {"ANTIDRIFT_AI_CMD": program}
    async with open_daemon(tmp_path, ai="command", env=env) as daemon:
        await flood_all(daemon, found)  # what is loaded once stays
        async with open_meter(daemon) as meter:
            limit = (data_kib(daemon.pid) + ADDED_KIB) * 1024
            resource.prlimit(daemon.pid, resource.RLIMIT_DATA, (limit, limit))
            for _ in range(3):
                await flood_all(daemon, found)
            await meter.tell(found)
        found.look("a save failed", is_right=(await daemon.request("state"))["durable"])
        found.look("it fails", is_right=await daemon.terminate() == 0)
        found.look_at_log(daemon.log, max_lines=100)
    tell_fault(Fault("F49", "memory and process limits", found.runs, len(found.wrong)))

    assert found.wrong == []


# Python tries vfork, and then fork, which is the call clone; threads begin with clone3.
STRACE = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=vfork,fork,clone")
NO_PROCESSES = (*STRACE, "-e", "inject=vfork,fork,clone:error=EAGAIN")


async def ask_coach(directory: Path, prefix: Sequence[str]) -> Findings:
    """Have a daemon start programs that it may not have."""
    found = Findings(runs=1)
    program = ai.write_program(directory, ai.READS_FIRST)
    env = {"ANTIDRIFT_AI_CMD": program, "DISPLAY": kept_display()}
    async with (
        open_x_server(kept_display()),
        open_daemon(directory, sensor="x11", ai="command", env=env, prefix=prefix) as daemon,
    ):
        await daemon.request("coach", intent="read")
        state = await daemon.wait_state(lambda state: state["coach"]["status"] == "error")
        why = state["coach"]["error"]
        found.look(f"not explained: {why}", is_right="Resource temporarily unavailable" in why)
        state = await daemon.request("start", next_action="write")
        found.look("no session", is_right=state["runtime"] == "active" and state["durable"])
        why = state["sensor"]["detail"]
        found.look(f"not explained: {why}", is_right="Resource temporarily unavailable" in why)
        found.look_at_log(daemon.log, max_lines=15)
    return found


async def test_where_no_process_can_be_started_the_session_goes_on(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await ask_coach(made(tmp_path, WHOLE), NO_PROCESSES)
    caught = await ask_coach(
        made(tmp_path, BROKEN), STRACE
    )  # nothing is forbidden, so nothing is told
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F49", "memory and process limits", 1, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


LOGS = {"closed": "2>&-", "full": "2>/dev/full", "a pipe that nobody reads": "2> >(exec true)"}

RAISES_WHEN_IT_CAN_NOT_LOG = """
import logging
class Strict(logging.StreamHandler):
    def handleError(self, record):
        raise
logging.StreamHandler = Strict
"""


async def log_nowhere(directory: Path, redirect: str, program: Sequence[str]) -> Findings:
    """Have a session whose every line of log fails."""
    found = Findings(runs=1)
    prefix = ("bash", "-c", f'exec "$@" {redirect}', "bash")
    arguments = ["--log-level", "debug"]
    async with open_daemon(
        directory, arguments=arguments, program=program, prefix=prefix, started=False
    ) as daemon:
        await daemon.launch()
        starts = await accepts(daemon, 10)
        found.look("it doesn't start", is_right=starts)
        if starts:
            found.look("it doesn't serve", is_right=await serves(daemon))
            found.look("it fails", is_right=await daemon.terminate() == 0)
    return found


async def accepts(daemon: Daemon, secs: float) -> bool:
    """Return whether somebody listens within `secs`."""
    with trio.move_on_after(secs):
        while True:
            if await daemon.accepts():
                return True
            await trio.sleep(0.02)
    return False


async def serves(daemon: Daemon) -> bool:
    try:
        await daemon.request("start", next_action="write")
        return bool((await daemon.request("complete"))["durable"])
    except (Gone, OSError):
        return False


async def test_a_log_that_can_not_be_written_stops_nothing(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = Findings()
    for number, redirect in enumerate(LOGS.values()):
        each = await log_nowhere(made(tmp_path, number), redirect, PROGRAM)
        found.runs += 1
        found.wrong += each.wrong
    strict = broken_program(RAISES_WHEN_IT_CAN_NOT_LOG)
    caught = await log_nowhere(made(tmp_path, BROKEN), LOGS["full"], strict)
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F50", "nowhere to log", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
