"""Clocks that are set, machines that sleep, daemons that are stopped: no time is made up."""

import signal
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
import trio

from tests.clients import State
from tests.daemons import PROGRAM
from tests.fakes.logind import open_logind
from tests.faults.broken import broken_program
from tests.faults.clocks.focus import (
    DAY_SECS,
    grown,
    heard,
    look_at_intervals,
    open_focus,
    rises,
)
from tests.faults.findings import Findings
from tests.faults.table import Fault, Tell, control
from tests.session_bus import open_bus

YEAR_SECS = 365.25 * DAY_SECS
WATCHED_SECS = 70.0
"""What passes unseen between two events of a daemon that runs, at most."""

TRUSTS_THE_WALL_CLOCK = """
from antidriftd.runtime import clock
import time
clock.time.clock_gettime = lambda which: time.time()
"""
FORGETS_SLEEP = """
from antidriftd.core import evidence
evidence.asleep_secs = lambda before, now: 0.0
"""


STEPS = {
    "an hour back": -3600.0,
    "a day on": DAY_SECS,
    "to 2100": 73 * YEAR_SECS,
    "to 1970": None,
    "a year back": -YEAR_SECS,
}


async def steps(shim: Path, directory: Path, program: Sequence[str] = PROGRAM) -> Findings:
    """Set the wall clock, time and again."""
    found = Findings()
    async with open_focus(shim, directory, program=program) as focus:
        for name, step in STEPS.items():
            before, begun = await focus.state(), trio.current_time()
            utc = before["evidence"]["as_of"]
            focus.clocks.move(utc=_since_1970(utc) if step is None else step)
            await trio.sleep(0.3)
            after = await focus.state()
            passed = trio.current_time() - begun
            spent = grown(before, after)
            error = abs(spent["ontask_secs"] - passed)
            found.look(f"{name}: {spent} in {passed} s", is_right=error <= 1)
            others = sum(spent.values()) - spent["ontask_secs"]
            found.look(f"{name}: {spent}, but it was focus", is_right=abs(others) < 0.1)
            found.look(f"{name}: the revision falls", is_right=rises(before, after))
            found.look(f"{name}: stale", is_right="stale" not in after["commitment"])
            found.runs += 1
        look_at_intervals(found, await focus.end())
        found.look_at_log(focus.daemon.log, max_lines=15)
    return found


def _since_1970(as_of: str) -> float:
    return 60.0 - datetime.fromisoformat(as_of).timestamp()


async def test_a_wall_clock_that_is_set_changes_no_length(
    shim: Path, tmp_path: Path, tell_fault: Tell
) -> None:
    found = await steps(shim, tmp_path / "w")
    caught = await steps(shim, tmp_path / "b", broken_program(TRUSTS_THE_WALL_CLOCK))
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F41", "wall clock set", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"])
async def test_another_time_zone_after_a_restart_changes_no_length(
    shim: Path, tmp_path: Path, tell_fault: Tell, zone: str
) -> None:
    found = Findings(runs=1)
    async with open_focus(shim, tmp_path) as focus:
        daemon = focus.daemon
        before, begun = await focus.state(), trio.current_time()
        await daemon.terminate()
        daemon.command = ["env", f"TZ={zone}", *daemon.command]
        await daemon.start()
        after = await focus.state()
        passed = trio.current_time() - begun
        total = sum(grown(before, after).values())
        found.look(f"{total} s of {passed} s", is_right=abs(total - passed) <= 1)
        same = after["commitment"]["ends_at"][:16] == before["commitment"]["ends_at"][:16]
        found.look("the end moves", is_right=same)
    tell_fault(Fault("F41", "wall clock set", found.runs, len(found.wrong)))

    assert found.wrong == []


async def night(
    shim: Path, directory: Path, secs: float, *, is_told: bool, program: Sequence[str] = PROGRAM
) -> Findings:
    """Have the machine sleep, whether or not anybody tells of it."""
    found = Findings(runs=1)
    async with open_bus() as bus, open_logind(bus.address) as logind:
        env = {"DBUS_SYSTEM_BUS_ADDRESS": bus.address} if is_told else {}
        timebox = 10 * 3600 if secs < 4 * 3600 else 1500
        async with open_focus(
            shim, directory, timebox_secs=timebox, program=program, env=env
        ) as focus:
            if is_told:
                await logind.program.wait_asked("PreparingForSleep")
                await logind.sleep()
                await focus.daemon.wait_state(lambda state: "away" in state)
            before, begun = await focus.state(), trio.current_time()
            focus.clocks.sleep(secs)
            if is_told:
                await logind.sleep(False)
                await focus.daemon.wait_state(lambda state: "away" not in state)
            states = await heard(focus.daemon)
            after = await focus.state()
            passed = trio.current_time() - begun
            spent = grown(before, after)
            look_at_night(found, spent, after, secs, passed)
            found.look(f"{len(states)} states at once", is_right=len(states) <= 5)
            look_at_gaps(found, await focus.end(), secs)
            found.look_at_log(focus.daemon.log, max_lines=15)
    return found


def look_at_night(
    found: Findings, spent: dict[str, float], after: State, secs: float, passed: float
) -> None:
    """Look at what a night has added; one that outlasts the session leaves it stale."""
    found.look(f"sleep counts as focus: {spent}", is_right=spent["ontask_secs"] <= passed + 0.5)
    found.look(f"sleep counts as unjudged: {spent}", is_right=spent["unjudged_secs"] <= passed)
    if secs < 4 * 3600:
        right = abs(spent["away_secs"] - secs) <= passed + 0.5
        found.look(f"{secs} s of sleep: {spent}", is_right=right)
        absence = after.get("absence", {}).get("secs", 0)
        found.look(f"an absence of {absence} s is told", is_right=absence >= secs - 1)
    else:
        found.look("not stale", is_right=bool(after["commitment"].get("stale")))
        found.look(f"all is counted: {spent}", is_right=spent["away_secs"] <= 4 * 3600)


def look_at_gaps(
    found: Findings, intervals: list[tuple[int, float, float, str]], secs: float
) -> None:
    look_at_intervals(found, intervals)
    gaps = [length for _, _, length, bucket in intervals if bucket == "away" and length > 60]
    # A session that is stale when one looks again may have ended before all of it.
    fewest = 1 if secs < 4 * 3600 else 0
    right = fewest <= len(gaps) <= 1 and all(gap <= secs + 60 for gap in gaps)
    found.look(f"gaps of {gaps} s", is_right=right)


async def test_sleep_is_never_focus_and_leaves_one_gap(
    shim: Path, tmp_path: Path, tell_fault: Tell
) -> None:
    found = Findings()
    for number, (secs, is_told) in enumerate(
        ((8 * 3600.0, True), (8 * 3600.0, False), (1800.0, True), (1800.0, False))
    ):
        found.wrong += (await night(shim, tmp_path / str(number), secs, is_told=is_told)).wrong
        found.runs += 1
    broken = broken_program(FORGETS_SLEEP)
    caught = await night(shim, tmp_path / "b", 1800, is_told=False, program=broken)
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F42", "machine asleep", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def stop(shim: Path, directory: Path, secs: float) -> tuple[Findings, dict[str, float]]:
    """Have the daemon stand still for `secs`, as under Ctrl-Z."""
    found = Findings(runs=1)
    async with open_focus(shim, directory) as focus:
        before, begun = await focus.state(), trio.current_time()
        process = focus.daemon.process
        assert process
        process.send_signal(signal.SIGSTOP)
        focus.clocks.pass_by(secs)
        process.send_signal(signal.SIGCONT)
        states = await heard(focus.daemon)
        after = await focus.state()
        passed = trio.current_time() - begun
        spent = grown(before, after)
        total = sum(spent.values())
        found.look(f"{spent} in {secs} s", is_right=abs(total - secs - passed) <= 1)
        limit = min(secs, WATCHED_SECS) + passed + 0.5
        found.look(f"stopped and focused: {spent}", is_right=spent["ontask_secs"] <= limit)
        found.look(f"{len(states)} states at once", is_right=len(states) <= 5)
        look_at_intervals(found, await focus.end())
        found.look_at_log(focus.daemon.log, max_lines=15)
    return found, spent


async def test_a_daemon_that_was_stopped_counts_what_it_did_not_see_as_unjudged(
    shim: Path, tmp_path: Path, tell_fault: Tell
) -> None:
    found, _ = await stop(shim, tmp_path / "1", 60)
    longer, spent = await stop(shim, tmp_path / "2", 900)
    wrong = [*found.wrong, *longer.wrong]
    # The control: what a minute may be, a quarter of an hour may not.
    told = control(is_caught=spent["unjudged_secs"] > 900 - WATCHED_SECS - 1)
    tell_fault(Fault("F43", "daemon stopped", 2, len(wrong), told))

    assert wrong == []
    assert told == "caught"


OTHER_BOOT = """
from antidriftd.runtime import clock
clock.boot_id = lambda: 'another-boot'
"""


async def reboot(shim: Path, directory: Path, off_secs: float, patch: str) -> Findings:
    """Kill the daemon, and start it in another boot, whose boot clock begins anew."""
    found = Findings(runs=1)
    async with open_focus(shim, directory, timebox_secs=3600) as focus:
        daemon = focus.daemon
        before, begun = await focus.state(), trio.current_time()
        await daemon.kill()
        up_secs = _up_secs()
        focus.clocks.move(utc=off_secs, mono=20 - up_secs, boot=20 - up_secs)
        daemon.command = broken_program(patch)
        await daemon.start()
        after = await focus.state()
        passed = trio.current_time() - begun
        spent = grown(before, after)
        # What came after the last save is lost with the kill: a minute at most.
        total = sum(spent.values())
        if off_secs < 4 * 3600:
            found.look("closed", is_right=after["runtime"] == "active")
            found.look(f"{spent} in {off_secs} s", is_right=abs(total - off_secs - passed) <= 60)
        else:
            found.look("not stale", is_right=bool(after["commitment"].get("stale")))
            found.look(f"{spent}", is_right=total <= 60)
        found.look(f"off and focused: {spent}", is_right=spent["ontask_secs"] <= passed + 0.5)
        same = before["commitment"]["ends_at"][:18] == after["commitment"]["ends_at"][:18]
        found.look("the end moves", is_right=same)
        found.look("the revision falls", is_right=rises(before, after))
        intervals = await focus.end()
        if intervals or off_secs < 4 * 3600:
            look_at_intervals(found, intervals)
        found.look_at_log(daemon.log, max_lines=15)
    return found


def _up_secs() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])


async def test_after_a_reboot_the_session_goes_on_where_its_end_was(
    shim: Path, tmp_path: Path, tell_fault: Tell
) -> None:
    found = Findings()
    for number, off_secs in enumerate((30.0, 1800.0, 8 * 3600.0)):
        found.wrong += (await reboot(shim, tmp_path / str(number), off_secs, OTHER_BOOT)).wrong
        found.runs += 1
    caught = await reboot(shim, tmp_path / "b", 1800, "")  # takes it for the same boot
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F44", "reboot", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
