"""Message buses that are absent, refuse, die, hang and come back; the session goes on."""

import socket
from collections.abc import Sequence
from pathlib import Path

import trio

from tests.daemons import PROGRAM, Daemon, open_daemon
from tests.fakes.logind import open_logind
from tests.faults.broken import broken_program
from tests.faults.findings import Findings
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.meter import Answers, open_meter, promptly
from tests.faults.table import Fault, Tell, control
from tests.session_bus import SessionBus, open_bus

DEATHS = 50
HEARD_EVERY = 10
HEARD_WITHIN_SECS = 20.0

NEVER_AGAIN = """
from antidriftd.adapters.presence import desktop
desktop._FIRST_WAIT_SECS = desktop._LONGEST_WAIT_SECS = 3600
"""


async def is_heard(daemon: Daemon, bus: SessionBus, secs: float) -> bool:
    """Return whether the daemon takes in what a bus tells, within `secs`."""
    with trio.move_on_after(secs):
        async with open_logind(bus.address) as logind:
            await logind.program.wait_asked("PreparingForSleep")
            await logind.lock()
            await daemon.wait_state(lambda state: state.get("away", {}).get("reason") == "locked")
            await logind.lock(False)
            await daemon.wait_state(lambda state: "away" not in state)
        return True
    return False


async def deaths(
    directory: Path,
    *,
    times: int,
    program: Sequence[str] = PROGRAM,
    secs: float = HEARD_WITHIN_SECS,
) -> Findings:
    """Kill both buses and bring them back, again and again."""
    findings = Findings()
    async with open_bus() as system, open_bus() as session:
        env = {
            "DBUS_SYSTEM_BUS_ADDRESS": system.address,
            "DBUS_SESSION_BUS_ADDRESS": session.address,
        }
        async with open_daemon(directory, env=env, program=program) as daemon:
            await daemon.request("start", next_action="write")
            assert await is_heard(daemon, system, 30)
            async with open_meter(daemon) as meter:
                for number in range(1, times + 1):
                    await _death(daemon, system, session)
                    if number % HEARD_EVERY == 0 or number == times:
                        heard = await is_heard(daemon, system, secs)
                        findings.look(f"not heard after death {number}", is_right=heard)
                    findings.runs += 1
                await meter.tell(findings)
            findings.look("it fails", is_right=await daemon.terminate() == 0)
    findings.look_at_log(daemon.log, max_lines=4 * (times + 2))
    return findings


async def _death(daemon: Daemon, *buses: SessionBus) -> None:
    for bus in buses:
        await bus.kill()
    assert (await daemon.request("state"))["runtime"] == "active"
    for bus in buses:
        await bus.start()


async def test_buses_that_die_are_heard_again_when_they_are_back(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await deaths(made(tmp_path, WHOLE), times=DEATHS)
    broken = broken_program(NEVER_AGAIN)
    caught = await deaths(made(tmp_path, BROKEN), times=1, program=broken, secs=3)
    told = control(is_caught="not heard after death 1" in caught.wrong)
    tell_fault(Fault("F40", "message buses that fail", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def test_buses_that_hang_hold_up_nobody(tmp_path: Path, tell_fault: Tell) -> None:
    found = Findings(runs=1)
    async with open_bus() as system, open_bus() as session:
        env = {
            "DBUS_SYSTEM_BUS_ADDRESS": system.address,
            "DBUS_SESSION_BUS_ADDRESS": session.address,
        }
        async with open_daemon(tmp_path, env=env) as daemon, daemon.connect() as client:
            answers = Answers(client)
            limit = promptly(0.05, await answers.ask_often(100))
            for bus in (system, session):
                bus.freeze()
            # Time being up is shown: on a bus that takes the question, and never answers.
            await daemon.request("start", next_action="write", timebox_secs=1)
            slowest = await answers.ask_often(300)
            found.look(f"{slowest} s for an answer", is_right=slowest <= limit)
            for bus in (system, session):
                bus.thaw()
            heard = await is_heard(daemon, system, HEARD_WITHIN_SECS)
            found.look("not heard once it runs", is_right=heard)
            for bus in (system, session):
                bus.freeze()
            with trio.fail_after(30):
                found.look("it fails", is_right=await daemon.terminate() == 0)
            found.look_at_log(daemon.log, max_lines=15)
    tell_fault(Fault("F40", "message buses that fail", found.runs, len(found.wrong)))

    assert found.wrong == []


async def test_without_a_bus_the_session_goes_on(tmp_path: Path, tell_fault: Tell) -> None:
    found = Findings()
    deaf = tmp_path / "deaf"
    with socket.socket(socket.AF_UNIX) as nobody:
        nobody.bind(str(deaf))  # and doesn't listen: whoever connects is refused
        for number, address in enumerate(
            ("", "nonsense", "unix:path=/no/such", f"unix:path={deaf}")
        ):
            directory = made(tmp_path, number)
            env = {"DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address}
            async with open_daemon(directory, env=env) as daemon:
                await daemon.request("start", next_action="write", timebox_secs=1)
                await trio.sleep(1.5)
                state = await daemon.request("complete")
                found.look(f"{address}: {state}", is_right=state["runtime"] == "review")
                found.look(f"{address}: it fails", is_right=await daemon.terminate() == 0)
                found.look_at_log(daemon.log, max_lines=10)
                found.runs += 1
    tell_fault(Fault("F40", "message buses that fail", found.runs, len(found.wrong)))

    assert found.wrong == []
