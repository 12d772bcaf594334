"""`service status` and `uninstall`: how the service does, and what is left when it goes."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.service.fake_systemctl import ACTIVE, DEAD, REMOVED, FakeSystemctl

# --- uninstall -------------------------------------------------------------------------------


def test_uninstall_removes_the_unit_and_says_what_it_keeps(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    antidrift("service", "install")
    systemctl.orders()
    code, out, err = antidrift("service", "uninstall")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "removed: ~/.config/systemd/user/antidriftd.service",
        "kept: sessions in ~/.local/state/antidrift, settings in ~/.config/antidrift",
    ]
    assert systemctl.orders() == REMOVED
    assert list(unit.parent.iterdir()) == []


def test_uninstall_with_nothing_installed_is_fine_even_without_a_manager(
    antidrift: Antidrift, systemctl: FakeSystemctl
) -> None:
    systemctl.lose_bus()
    code, out, _ = antidrift("service", "uninstall")

    assert code == 0
    assert out.startswith("nothing was installed: ")
    assert not json.loads(antidrift("service", "uninstall", "--json")[1])["changed"]


# --- status ----------------------------------------------------------------------------------


def test_status_says_that_nothing_is_installed(
    antidrift: Antidrift, systemctl: FakeSystemctl
) -> None:
    code, out, _ = antidrift("service", "status")

    assert code == 1
    assert out.splitlines()[0].startswith("unit: not installed (")
    assert out.splitlines()[1:] == ["enabled: no", "active: inactive (dead)"]


def test_status_says_since_when_it_runs(antidrift: Antidrift, systemctl: FakeSystemctl) -> None:
    antidrift("service", "install")
    systemctl.set_service(ACTIVE)
    code, out, _ = antidrift("service", "status")

    assert code == 0
    assert out.splitlines()[0].startswith("unit: up to date (")
    assert out.splitlines()[1:] == [
        "enabled: enabled",
        "active: active (running) since Fri 2026-01-02 12:00:00 UTC",
    ]


def test_status_says_why_it_failed(antidrift: Antidrift, systemctl: FakeSystemctl) -> None:
    systemctl.set_service(DEAD)
    code, out, _ = antidrift("service", "status")
    assert code == 1
    assert (
        out.splitlines()[-1]
        == "why: exit-code (exit code 1); see: journalctl --user -u antidriftd -n 20"
    )

    killed = DEAD.replace("ExecMainCode=1", "ExecMainCode=2")
    systemctl.set_service(killed.replace("ExecMainStatus=1", "ExecMainStatus=9"))
    assert "(signal 9)" in antidrift("service", "status")[1]


@pytest.mark.parametrize(
    ("old", "new", "condition"),
    [
        ("WatchdogSec=60", "WatchdogSec=90", "not ours, or edited"),
        ("", "", "up to date"),
    ],
)
def test_status_tells_an_edited_unit(
    old: str, new: str, condition: str, antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    antidrift("service", "install")
    unit.write_text(unit.read_text().replace(old, new))

    assert json.loads(antidrift("service", "status", "--json")[1])["condition"] == condition


def test_status_tells_the_unit_of_another_version_but_not_of_another_shell(
    antidrift: Antidrift,
    systemctl: FakeSystemctl,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    antidrift("service", "install")
    systemctl.reach_desktop(reached=False)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path}")
    assert json.loads(antidrift("service", "status", "--json")[1])["condition"] == "up to date"

    monkeypatch.setattr("sys.argv", [str(make_daemon(tmp_path))])
    assert json.loads(antidrift("service", "status", "--json")[1])["condition"] == "older"


def make_daemon(folder: Path) -> Path:
    """Put a daemon into `folder`; return the path that a client beside it would have."""
    (folder / "antidriftd").touch(mode=0o700)
    return folder / "antidrift"


def test_status_tells_of_a_daemon_outside_systemd(
    antidrift: Antidrift, systemctl: FakeSystemctl, outsider: FakeDaemon
) -> None:
    code, _, err = antidrift("service", "status")

    assert code == 1
    assert "kill 17" in err
    assert json.loads(antidrift("service", "status", "--json")[1])["pid_outside_systemd"] == 17
