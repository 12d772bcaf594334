"""An X server that is killed, frozen or never there, and windows that are gone before one looks."""

import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from tests.clients import State
from tests.daemons import PROGRAM, Daemon, open_daemon
from tests.faults.broken import broken_program
from tests.faults.findings import Findings
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.meter import Answers, open_meter, promptly, sensors_of
from tests.faults.table import Fault, Tell, control
from tests.processes import cpu_secs
from tests.x11 import XClient, XServer, kept_display, open_x_server

OUTAGES = 3
GONE_SECS = 2.0
BACK_WITHIN_SECS = 5.0
NOTICED_WITHIN_SECS = 25.0
STORM = 1_000

NEVER_AGAIN = """
import trio
from antidriftd.adapters.windows import child
async def wait(self):
    await trio.sleep_forever()
child.BackOff.wait = wait
"""
NO_PATIENCE = """
from antidriftd.adapters.windows import child
child.SILENCE_SECS = 3600
child.keep_running.__kwdefaults__['silence_secs'] = 3600
from antidriftd.adapters.windows import x11_sensor
x11_sensor.X11WindowSensor.__init__.__kwdefaults__['silence_secs'] = 3600
"""


def sees(state: State) -> bool:
    return bool(state["sensor"]["status"] == "ok")


def in_front(state: State) -> str:
    return str((state.get("window") or {}).get("title", ""))


def show(windows: XClient, title: str) -> int:
    window = windows.make_window("Editor", title)
    windows.set_active(window)
    return window


async def is_told(daemon: Daemon, secs: float, **wanted: object) -> float | None:
    """Return after how long the state shows what is `wanted`; None when not within `secs`."""
    begun = trio.current_time()
    with trio.move_on_after(secs):
        while True:
            state = await daemon.request("state")
            shown = {"sees": sees(state), "title": in_front(state)}
            if all(shown[name] == value for name, value in wanted.items()):
                return trio.current_time() - begun
            await trio.sleep(0.02)
    return None


def counted(state: State, what: str = "ontask_secs") -> float:
    return float(state["evidence"][what])


def length(state: State) -> float:
    names = ("ontask_secs", "drift_secs", "unjudged_secs", "away_secs")
    return sum(counted(state, name) for name in names)


@asynccontextmanager
async def open_watched(
    directory: Path, server: XServer, program: Sequence[str] = PROGRAM
) -> AsyncIterator[Daemon]:
    """Start a daemon in a session on a display, with a page of its own in front."""
    env = {"DISPLAY": server.name}
    async with open_daemon(directory, sensor="x11", env=env, program=program) as daemon:
        await daemon.request("start", next_action="write", allowed_window_classes=["editor"])
        yield daemon


async def outages(
    directory: Path, *, times: int, gone_secs: float, program: Sequence[str] = PROGRAM
) -> Findings:
    """Kill the X server and bring it back, again and again."""
    findings = Findings()
    name = kept_display()
    async with open_x_server(name) as server, open_watched(directory, server, program) as daemon:
        with XClient(name) as windows:
            show(windows, "before")
            assert await is_told(daemon, 30, sees=True, title="before") is not None
        async with open_meter(daemon) as meter:
            for number in range(times):
                await _outage(daemon, server, findings, gone_secs)
                async with open_x_server(name) as next_server:
                    with XClient(name) as windows:
                        show(windows, str(number))
                        secs = await is_told(daemon, BACK_WITHIN_SECS, sees=True, title=str(number))
                        findings.look(f"outage {number}: not seen again", is_right=secs is not None)
                        findings.runs += 1
                    if number == times - 1:
                        await meter.tell(findings)
                    await next_server.kill()
    findings.look_at_log(daemon.log, max_lines=10 * (times + 1))
    return findings


async def _outage(daemon: Daemon, server: XServer, findings: Findings, gone_secs: float) -> None:
    await server.kill()
    noticed = await is_told(daemon, BACK_WITHIN_SECS, sees=False, title="")
    findings.look("nobody said that the display is gone", is_right=noticed is not None)
    before, computed = await daemon.request("state"), cpu_secs(daemon.pid)
    begun = trio.current_time()
    await trio.sleep(gone_secs)
    after = await daemon.request("state")
    passed = trio.current_time() - begun
    findings.look("blind time counts as focus", is_right=counted(after) - counted(before) < 0.5)
    grown = length(after) - length(before)
    findings.look(f"{grown} s of {passed} s are counted", is_right=abs(grown - passed) < 1)
    spent = cpu_secs(daemon.pid) - computed
    findings.look(f"{spent} s of CPU: it spins", is_right=spent < passed / 4)


async def test_a_display_that_is_killed_is_seen_again_when_it_is_back(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await outages(made(tmp_path, WHOLE), times=OUTAGES, gone_secs=GONE_SECS)
    caught = await outages(
        made(tmp_path, BROKEN), times=1, gone_secs=0.2, program=broken_program(NEVER_AGAIN)
    )
    told = control(is_caught="outage 0: not seen again" in caught.wrong)
    tell_fault(Fault("F37", "X server killed and back", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def freeze(directory: Path, program: Sequence[str] = PROGRAM) -> Findings:
    """Freeze the X server until the daemon says so, and let it run on."""
    findings = Findings(runs=1)
    async with open_x_server() as server, open_watched(directory, server, program) as daemon:
        with XClient(server.name) as windows:
            show(windows, "before")
            assert await is_told(daemon, 30, sees=True, title="before") is not None
            async with open_meter(daemon) as meter, daemon.connect() as client:
                answers = Answers(client)
                limit = promptly(0.05, await answers.ask_often(100))
                server.freeze()
                first = len(answers.waits)
                told = await _while_asking(daemon, answers)
                findings.look("nobody said that nothing is seen", is_right=told is not None)
                slowest = sorted(answers.waits[first:])[-len(answers.waits[first:]) // 100 - 1]
                findings.look(f"{slowest} s for an answer", is_right=slowest <= limit)
                server.thaw()
                show(windows, "after")
                back = await is_told(daemon, 2 * BACK_WITHIN_SECS, sees=True, title="after")
                findings.look("not seen again", is_right=back is not None)
                await meter.tell(findings)
    findings.look_at_log(daemon.log, max_lines=15)
    return findings


async def _while_asking(daemon: Daemon, answers: Answers) -> float | None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answers.ask_often, 1_000_000, 0.02)
        told = await is_told(daemon, NOTICED_WITHIN_SECS, sees=False)
        nursery.cancel_scope.cancel()
    return told


async def test_a_display_that_hangs_holds_up_nobody_and_is_told_of(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = Findings()
    caught = Findings()

    async def whole() -> None:
        found.wrong += (await freeze(made(tmp_path, WHOLE))).wrong

    async def careless() -> None:
        caught.wrong += (await freeze(made(tmp_path, BROKEN), broken_program(NO_PATIENCE))).wrong

    async with trio.open_nursery() as nursery:
        nursery.start_soon(whole)
        nursery.start_soon(careless)
    told = control(is_caught="nobody said that nothing is seen" in caught.wrong)
    tell_fault(Fault("F38", "X server frozen", 1, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def test_a_display_that_is_not_there_or_lets_nobody_in_is_told_of(
    tmp_path: Path, tell_fault: Tell
) -> None:
    authority = tmp_path / "authority"
    authority.write_bytes(os.urandom(200))
    found = Findings()
    async with open_x_server("", "-auth", str(authority)) as server:
        cases = ({"DISPLAY": ""}, {"DISPLAY": kept_display()}, {"DISPLAY": "nonsense"})
        closed = {"DISPLAY": server.name, "XAUTHORITY": str(authority)}
        for number, env in enumerate((*cases, closed)):
            directory = made(tmp_path, number)
            async with open_daemon(directory, sensor="x11", env=env) as daemon:
                state = await daemon.request("start", next_action="write")
                found.runs += 1
                found.look(f"{env} seems well", is_right=not sees(state))
                found.look(f"{env} is not explained", is_right=bool(state["sensor"]["detail"]))
                found.look(f"{env} fails", is_right=await daemon.terminate() == 0)
                found.look_at_log(daemon.log, max_lines=10)
    tell_fault(Fault("F39", "windows and displays of every kind", found.runs, len(found.wrong)))

    assert found.wrong == []


def storm(windows: XClient) -> None:
    """Put windows in front that are gone at once, among them some with strange properties."""
    for number in range(STORM):
        window = windows.make_window("Editor", str(number))
        match number % 5:
            case 0:
                windows.set_title(window, b"x" * 200_000)
            case 1:
                windows.set_title(window, b"\xff\xfe\xc3(\xed\xa0\x80")
            case 2:
                windows.set_property(window, "_NET_WM_NAME", [1, 2, 3], "CARDINAL", 32)
            case 3:
                windows.set_property(window, "WM_CLASS", b"\0\0\0\0", "STRING")
            case _:
                pass
        windows.set_active(window)
        windows.destroy(window)


async def weather(directory: Path, *, is_killed: bool) -> Findings:
    """Have a storm of windows, in which the sensor can be killed, as one that crashes is."""
    findings = Findings(runs=STORM)
    async with open_x_server() as server, open_watched(directory, server) as daemon:
        with XClient(server.name) as windows:
            show(windows, "before")
            assert await is_told(daemon, 30, sees=True, title="before") is not None
            before = sensors_of(daemon.pid)
            async with open_meter(daemon) as meter:
                if is_killed:
                    os.kill(before[0], signal.SIGKILL)
                await trio.to_thread.run_sync(storm, windows)
                show(windows, "after")
                told = await is_told(daemon, 30, sees=True, title="after")
                findings.look("the last window is not seen", is_right=told is not None)
                await meter.tell(findings)
            findings.look("the sensor crashed", is_right=sensors_of(daemon.pid) == before)
    findings.look_at_log(daemon.log, max_lines=10)
    return findings


async def test_a_storm_of_windows_that_are_gone_at_once_harms_nothing(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await weather(made(tmp_path, WHOLE), is_killed=False)
    caught = await weather(made(tmp_path, BROKEN), is_killed=True)
    told = control(is_caught="the sensor crashed" in caught.wrong)
    what = "windows and displays of every kind"
    tell_fault(Fault("F39", what, found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
