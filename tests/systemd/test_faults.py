"""The units on a real user manager: started for a client, watched, started again, given up."""

from pathlib import Path

import pytest

from tests.faults.findings import Findings
from tests.faults.table import Fault, Tell, control
from tests.systemd.test_service import install_programs
from tests.systemd.test_unit import EXEC_START, UNIT
from tests.systemd.user_systemd import run_beside_systemd

WATCHDOG_SECS = 2
BACK_WITHIN_SECS = WATCHDOG_SECS + 2

STATUS = "antidrift status --json | jq -r '.runtime, .intent'"
WAIT_ACTIVE = """
until test "$(systemctl --user show -P ActiveState antidriftd)" = active; do sleep 0.05; done
"""


def install(home: Path, *, unit: str = "") -> dict[str, str]:
    """Put both programs and both units where a person would; return the environment."""
    client = install_programs(home / "bin")
    folder = home / ".config/systemd/user"
    folder.mkdir(parents=True)
    text = unit or UNIT.read_text()
    (folder / UNIT.name).write_text(
        text.replace(EXEC_START, f"ExecStart={client.parent}/antidriftd")
    )
    socket = UNIT.with_suffix(".socket")
    (folder / socket.name).write_text(socket.read_text())
    return {"PATH": f"{client.parent}:/usr/bin:/bin", "LANG": "C.UTF-8"}


def watched(secs: int) -> str:
    """Return the unit with a shorter watchdog, and a start that follows at once."""
    unit = UNIT.read_text()
    for line, instead in (
        ("WatchdogSec=60", f"WatchdogSec={secs}" if secs else ""),
        ("RestartSec=2", "RestartSec=100ms"),
    ):
        assert line in unit
        unit = unit.replace(line, instead)
    return unit


def hang(home: Path, secs: int) -> Findings:
    """Have the loop of a daemon stand still, which its manager sees only by the watchdog."""
    script = f"""
    systemctl --user start antidriftd
    antidrift plan write --json >/dev/null
    before=$(systemctl --user show -P MainPID antidriftd)
    kill -STOP $before
    begun=$(cut -d' ' -f1 /proc/uptime)
    for _ in $(seq {20 * (BACK_WITHIN_SECS + 20)}); do
        now=$(systemctl --user show -P MainPID antidriftd)
        test "$now" = $before || test "$now" = 0 || break
        test {secs} != 0 || test $_ != 120 || break
        sleep 0.05
    done
    echo "$before $now $begun $(cut -d' ' -f1 /proc/uptime)"
    test "$now" != $before || kill -CONT $before
    {WAIT_ACTIVE}
    {STATUS}
    """
    home.mkdir()
    said = run_beside_systemd(script, home, install(home, unit=watched(secs))).split()
    before, after, begun, ended, *state = said
    found = Findings(runs=1)
    took = float(ended) - float(begun)
    found.look("not started again", is_right=before != after)
    found.look(f"{took} s to start again", is_right=took <= BACK_WITHIN_SECS)
    found.look(f"{state} after it", is_right=state == ["planning", "write"])
    return found


def test_a_loop_that_stands_still_is_started_again(tmp_path: Path, tell_fault: Tell) -> None:
    found = hang(tmp_path / "w", WATCHDOG_SECS)
    caught = hang(tmp_path / "b", 0)
    told = control(is_caught="not started again" in caught.wrong)
    tell_fault(Fault("F45", "event loop stuck", 1, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


def test_the_socket_unit_starts_the_daemon_for_its_first_client(
    tmp_path: Path, tell_fault: Tell
) -> None:
    script = f"""
    systemctl --user start antidriftd.socket
    systemctl --user show -P ActiveState antidriftd.service
    antidrift plan write --json >/dev/null
    systemctl --user show -P ActiveState antidriftd.service
    stat -c %a $XDG_RUNTIME_DIR/antidrift $XDG_RUNTIME_DIR/antidrift/antidrift.sock
    kill -KILL $(systemctl --user show -P MainPID antidriftd)
    {STATUS}
    systemctl --user stop antidriftd.service
    test -S $XDG_RUNTIME_DIR/antidrift/antidrift.sock && echo kept
    {STATUS}
    systemctl --user stop antidriftd.socket antidriftd.service
    test -e $XDG_RUNTIME_DIR/antidrift/antidrift.sock || echo gone
    """
    said = run_beside_systemd(script, tmp_path, install(tmp_path)).split()
    expected = ["inactive", "active", "700", "600", "planning", "write"]
    expected += ["kept", "planning", "write", "gone"]
    tell_fault(Fault("F52", "units in a real manager", 1, int(said != expected)))

    assert said == expected


def test_the_service_starts_goes_on_after_a_crash_and_stops(
    tmp_path: Path, tell_fault: Tell
) -> None:
    script = f"""
    systemctl --user start antidriftd
    antidrift plan write --json >/dev/null
    kill -SEGV $(systemctl --user show -P MainPID antidriftd)
    sleep 0.5
    {WAIT_ACTIVE}
    {STATUS}
    systemctl --user show -P NRestarts antidriftd
    systemctl --user stop antidriftd
    systemctl --user show -P Result antidriftd
    test -e $XDG_RUNTIME_DIR/antidrift/antidrift.sock || echo gone
    """
    said = run_beside_systemd(script, tmp_path, install(tmp_path)).split()
    expected = ["planning", "write", "1", "success", "gone"]
    tell_fault(Fault("F52", "units in a real manager", 1, int(said != expected)))

    assert said == expected


@pytest.mark.parametrize(
    ("program", "config", "starts"),
    [("#!/bin/sh\nexit 1\n", "", 5), ("", "nonsense = true\n", 1)],
    ids=["one that always fails", "a bad configuration"],
)
def test_what_can_not_start_is_given_up(
    tmp_path: Path, tell_fault: Tell, program: str, config: str, starts: int
) -> None:
    environ = install(tmp_path, unit=watched(60))
    daemon = tmp_path / "bin" / "antidriftd"
    if program:
        daemon.write_text(program)
    settings = tmp_path / ".config/antidrift/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(config)
    launched = tmp_path / "launched"
    real = daemon.rename(daemon.with_name("real"))
    daemon.write_text(f"#!/bin/sh\necho >>{launched}\nexec {real}\n")
    daemon.chmod(0o755)
    script = """
    systemctl --user start antidriftd >/dev/null 2>&1 || true
    for _ in $(seq 400); do
        test "$(systemctl --user show -P ActiveState antidriftd)" != failed || break
        sleep 0.05
    done
    systemctl --user show -P ActiveState antidriftd
    """
    state = run_beside_systemd(script, tmp_path, environ).strip()
    count = launched.read_text().count("\n")
    wrong = (state, count) != ("failed", starts)
    tell_fault(Fault("F52", "units in a real manager", 1, int(wrong)))

    assert (state, count) == ("failed", starts)
