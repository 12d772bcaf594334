"""Ready, stopped and held up: what is said is true, and a stop is short whatever goes on."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import trio

from tests.clients import Client
from tests.daemons import PROGRAM, Daemon, open_daemon
from tests.fakes import ai
from tests.faults.broken import broken_program
from tests.faults.findings import Findings
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.forks import open_forked, open_forks
from tests.faults.meter import Answers, open_meter, promptly
from tests.faults.table import Fault, Tell, control
from tests.runtime.test_systemd import Notifications

STARTS = 100
CLIENTS = 64
STOPS_WITHIN_SECS = 5.0
SLOW_DISK = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync")

READY_TOO_EARLY = """
from antidriftd.runtime.systemd import ServiceManager
go_on = main
def main():
    ServiceManager(os.environ).tell("READY=1")
    go_on()
"""
WAITS_FOR_THE_JUDGE = """
from antidriftd.programs import process, ward
process._CLEAN_UP_SECS = 3600
process._Guard.ask_to_end = lambda self: None
"""
SAVES_ON_THE_LOOP = """
import trio
async def run_sync(function, *arguments, **options):
    return function(*arguments)
trio.to_thread.run_sync = run_sync
"""


def slow_disk(secs: float) -> Sequence[str]:
    """Return the command that runs a program on a disk that takes so long to sync."""
    return (*SLOW_DISK, "-e", f"inject=fsync:delay_enter={int(secs * 1_000_000)}")


async def starts(directory: Path, patch: str, times: int) -> Findings:
    """Connect at the instant at which the daemon says that it is ready."""
    found = Findings()
    manager = Notifications(str(directory / "n"))
    with open_forks(patch) as forks:
        for _ in range(times):
            env = {"NOTIFY_SOCKET": str(directory / "n")}
            async with open_forked(forks, directory, env=env, started=False) as daemon:
                await daemon.launch()
                while await manager.wait() != "READY=1":
                    pass
                found.look("not ready", is_right=await _answers(daemon))
                await daemon.kill()
            found.runs += 1
    manager.close()
    return found


async def _answers(daemon: Daemon) -> bool:
    try:
        return bool((await daemon.request("state"))["runtime"] == "idle")
    except OSError:
        return False


async def test_one_that_says_it_is_ready_answers_at_once(tmp_path: Path, tell_fault: Tell) -> None:
    found = await starts(made(tmp_path, WHOLE), "", STARTS)
    caught = await starts(made(tmp_path, BROKEN), READY_TOO_EARLY, 5)
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F46", "READY honesty", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def stop(directory: Path, program: Sequence[str], secs: float) -> Findings:
    """Send SIGTERM to a daemon with clients, a judge that won't end, and a disk that is slow."""
    found = Findings(runs=1)
    judge = ai.write_program(directory, "deaf(); sleep()")
    recording = directory / "day.jsonl"
    recording.write_text('{"at": 0, "class": "supertux", "title": "SuperTux"}\n')
    async with (
        open_daemon(
            directory,
            sensor=f"replay:{recording}",
            ai="command",
            env={"ANTIDRIFT_AI_CMD": judge},
            config="[drift]\ndwell_secs = 0\n",
            program=program,
            prefix=slow_disk(0.2),
        ) as daemon,
        AsyncExitStack() as stack,
    ):
        state = await daemon.request("start", next_action="write", allowed_window_titles=["kept"])
        assert state["durable"]
        await ai.wait_processes(judge, present=True)
        for number in range(CLIENTS):
            client = await stack.enter_async_context(daemon.connect())
            await client.request("watch" if number % 2 else "state")
        pid = (await client.request("info"))["pid"]
        begun = trio.current_time()
        await trio.run_process(["kill", str(pid)])
        with trio.move_on_after(secs) as patience:
            code = await daemon.wait()
            found.look(f"exit code {code}", is_right=code == 0)
        took = trio.current_time() - begun
        found.look(f"{took} s to stop", is_right=not patience.cancelled_caught)
        if not patience.cancelled_caught:
            await look_at_rest(found, daemon, judge)
        found.look_at_log(daemon.log, max_lines=40)
    for pid in ai.processes_named(judge):
        await trio.run_process(["kill", "-KILL", str(pid)], check=False)
    return found


async def look_at_rest(found: Findings, daemon: Daemon, judge: str) -> None:
    """Look at what a daemon that has ended left, and at what it kept."""
    found.look("the socket is left", is_right=not daemon.home.socket.exists())
    found.look("the judge is left", is_right=not ai.processes_named(judge))
    daemon.command = list(PROGRAM)
    await daemon.start()
    state = await daemon.request("state")
    kept = state["commitment"]["allowed_window_titles"] == ["kept"]
    found.look("what was acknowledged is lost", is_right=kept)


async def test_a_stop_is_short_with_clients_a_hung_judge_and_a_slow_disk(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await stop(made(tmp_path, WHOLE), PROGRAM, STOPS_WITHIN_SECS)
    broken = broken_program(WAITS_FOR_THE_JUDGE)
    caught = await stop(made(tmp_path, BROKEN), broken, STOPS_WITHIN_SECS)
    told = control(is_caught=any("to stop" in each for each in caught.wrong))
    tell_fault(Fault("F47", "SIGTERM with much under way", 1, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def save(directory: Path, program: Sequence[str]) -> Findings:
    """Ask for the state while a save takes two seconds."""
    found = Findings()
    async with (
        open_daemon(directory, program=program, prefix=slow_disk(2)) as daemon,
        open_meter(daemon) as meter,
        daemon.connect() as client,
        daemon.connect() as commander,
    ):
        answers = Answers(client)
        limit = promptly(0.1, await answers.ask_often(50))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_command, commander, nursery.cancel_scope)
            nursery.start_soon(answers.ask_often, 10_000, 0.01)
        slow = sorted(answers.waits[50:])
        found.runs += len(slow)
        slowest = slow[(len(slow) * 99 - 1) // 100]
        found.look(f"{slowest} s for an answer", is_right=slowest <= limit)
        await meter.tell(found)
    return found


async def _command(client: Client, scope: trio.CancelScope) -> None:
    for intent in ("write", "read"):
        assert (await client.request("plan", intent=intent))["durable"]
    scope.cancel()


async def test_a_slow_disk_delays_nobody_who_only_asks(tmp_path: Path, tell_fault: Tell) -> None:
    found = await save(made(tmp_path, WHOLE), PROGRAM)
    caught = await save(made(tmp_path, BROKEN), broken_program(SAVES_ON_THE_LOOP))
    told = control(is_caught=any("for an answer" in each for each in caught.wrong))
    tell_fault(Fault("F48", "fsync takes 2 s", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
