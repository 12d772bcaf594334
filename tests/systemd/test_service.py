"""`antidrift service` on a real user manager of systemd, with a real daemon."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.systemd.user_systemd import run_beside_systemd

PROGRAMS = ("antidrift", "antidriftd")
ODD_FOLDERS = ["plain", "a b", "50% $HOME %h ;#{}*~@-+!|&ü"]


def install_programs(folder: Path) -> Path:
    """Put both programs into a new folder; return the client's path."""
    folder.mkdir()
    for program in PROGRAMS:
        shutil.copy(Path(sys.executable).with_name(program), folder)
    return folder / "antidrift"


@pytest.mark.parametrize("name", ODD_FOLDERS)
def test_the_service_can_be_installed_used_and_removed(name: str, tmp_path: Path) -> None:
    client = install_programs(tmp_path / name)
    quotes = tmp_path / "%s \\x41 'single' \"double\" $HOME\\"
    quotes.mkdir()
    path = f"{client.parent}:{quotes}:/usr/bin:/bin"
    script = """
    antidrift service install --json
    antidrift service status --json
    antidrift status --json
    antidrift service install --json
    tr '\\0' '\\n' </proc/$(systemctl --user show -P MainPID antidriftd)/environ |
        grep ^PATH= | python3 -c 'import json,sys; print(json.dumps(sys.stdin.read()))'
    antidrift service uninstall --json
    antidrift service status --json || echo $?
    """
    said = run_beside_systemd(script, tmp_path, {"PATH": path, "LANG": "C.UTF-8"})
    first, running, state, again, searched, removed, after, code = map(
        json.loads, said.splitlines()
    )

    unit = tmp_path / ".config/systemd/user/antidriftd.service"
    assert (first["unit"], first["changed"], first["active"]) == (str(unit), True, True)
    assert first["target"] == "default.target"
    assert (running["condition"], running["enabled"], running["active"]) == (
        "up to date",
        "enabled",
        True,
    )
    assert running["pid_outside_systemd"] is None
    assert state["runtime"] == "idle"
    assert (again["changed"], again["active"]) == (False, True)
    assert searched == f"PATH={path}:/usr/local/bin\n"
    assert removed["changed"]
    assert (after["condition"], after["active"], code) == ("not installed", False, 1)
    assert [each for each in unit.parent.rglob("*") if not each.is_dir()] == []


def test_a_daemon_that_ends_at_once_is_told_of_with_what_says_more(tmp_path: Path) -> None:
    client = install_programs(tmp_path / "bin")
    config = tmp_path / ".config/antidrift/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("nonsense = true\n")
    script = """
    antidrift service install --json || echo $?
    antidrift service status --json || echo $?
    """
    said = run_beside_systemd(script, tmp_path, {"PATH": f"{client.parent}:/usr/bin:/bin"})
    refused, code, status, status_code = map(json.loads, said.splitlines())

    assert refused["error"]["message"].startswith("the unit is installed, but `systemctl --user re")
    assert refused["error"]["message"].endswith("; see: antidrift service status")
    assert (status["active"], status["condition"]) == (False, "up to date")
    assert status["why"] == "exit-code (exit code 78); see: antidriftd --check-config"
    assert (code, status_code) == (1, 1)


def test_a_daemon_outside_systemd_is_left_alone_and_told_of(tmp_path: Path) -> None:
    client = install_programs(tmp_path / "bin")
    script = """
    antidriftd >/dev/null 2>&1 &
    until antidrift status >/dev/null 2>&1; do sleep 0.1; done
    echo $!
    antidrift service install --json
    kill $!; wait $! || true; systemctl --user start antidriftd
    antidrift service status --json
    """
    said = run_beside_systemd(script, tmp_path, {"PATH": f"{client.parent}:/usr/bin:/bin"})
    pid, installed, status = map(json.loads, said.splitlines())

    assert installed["changed"]
    assert not installed["active"]
    assert f"kill {pid}; systemctl --user start antidriftd" in " ".join(installed["notes"])
    assert (status["active"], status["pid_outside_systemd"]) == (True, None)
