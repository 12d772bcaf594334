"""`service install` tells systemd the right things, and harms nobody's files."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.service.fake_systemctl import ACTIVE, AGAIN, FIRST, REMOVED, FakeSystemctl


def line_of(unit: Path, name: str) -> str:
    (line,) = (each for each in unit.read_text().splitlines() if each.startswith(f"{name}="))
    return line.removeprefix(f"{name}=")


def test_install_writes_a_private_unit_and_starts_it(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    code, out, err = antidrift("service", "install")

    shown = "~/.config/systemd/user/antidriftd.service"
    assert (code, out, err) == (0, f"installed and running: {shown}\n", "")
    assert systemctl.orders() == FIRST
    assert unit.stat().st_mode & 0o777 == 0o600
    assert [*unit.parent.iterdir()] == [unit]
    assert Path(line_of(unit, "ExecStart").strip('"')).name == "antidriftd"
    assert line_of(unit, "WantedBy") == "graphical-session.target"
    assert line_of(unit, "PartOf") == "graphical-session.target"


def test_install_done_again_changes_nothing(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    antidrift("service", "install")
    systemctl.orders()
    before = unit.stat()
    code, out, _ = antidrift("service", "install")

    assert code == 0
    assert out.startswith("up to date and running: ")
    assert systemctl.orders() == AGAIN
    assert (unit.stat().st_ino, unit.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_install_replaces_a_unit_that_it_wrote_otherwise(
    antidrift: Antidrift,
    systemctl: FakeSystemctl,
    unit: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    antidrift("service", "install")
    systemctl.orders()
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path}")
    code, out, _ = antidrift("service", "install")

    assert (code, systemctl.orders()) == (0, FIRST)
    assert out.startswith("installed")
    assert line_of(unit, "Environment").endswith(f':{tmp_path}:/usr/local/bin"')


@pytest.mark.parametrize("verb", ["install", "uninstall"])
@pytest.mark.parametrize("whose", ["edited", "foreign", "masked"])
def test_a_unit_that_is_not_ours_goes_only_by_force(
    verb: str, whose: str, antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    antidrift("service", "install")
    match whose:
        case "edited":
            unit.write_text(unit.read_text().replace("WatchdogSec=60", "WatchdogSec=90"))
        case "foreign":
            unit.write_text("[Service]\nExecStart=/bin/true\n")
        case _:
            unit.unlink()
            unit.symlink_to("/dev/null")
    before = unit.read_text()
    systemctl.orders()
    code, out, err = antidrift("service", verb)

    assert (code, out) == (1, "")
    assert err.endswith(f"if it can go: antidrift service {verb} --force\n")
    assert (unit.read_text(), systemctl.orders()) == (before, [])

    assert antidrift("service", verb, "--force")[0] == 0
    assert systemctl.orders() == (FIRST if verb == "install" else REMOVED)
    assert not unit.is_symlink()
    assert Path("/dev/null").is_char_device()
    assert antidrift("service", verb)[0] == 0


def test_where_no_desktop_is_reached_it_starts_with_the_login_and_says_so(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    systemctl.reach_desktop(reached=False)
    code, _, err = antidrift("service", "install")

    assert code == 0
    reason = "this session does not reach graphical-session.target"
    assert err == f"{reason}, so the service starts when you log in\n"
    assert line_of(unit, "WantedBy") == "default.target"
    assert "graphical-session" not in unit.read_text()


def test_variables_of_the_shell_are_named_and_not_written_down(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTIDRIFT_AI_BACKEND", "claude")
    monkeypatch.setenv("ANTIDRIFT_SOCKET", "/nowhere/sock")
    code, _, err = antidrift("service", "install")

    assert code == 0
    assert "does not get ANTIDRIFT_AI_BACKEND, ANTIDRIFT_SOCKET from this shell" in err
    assert "claude" not in unit.read_text()
    assert "/nowhere" not in unit.read_text()


def test_of_the_path_only_what_is_safe_and_there_is_written_down(
    antidrift: Antidrift,
    systemctl: FakeSystemctl,
    unit: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name, mode in (("open to all", 0o777), ("own 100%", 0o755), ("new\nline", 0o755)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    (tmp_path / "file").touch()
    names = ("open to all", "own 100%", "new\nline", "file", "missing", "own 100%")
    entries = ["", ".", "relative", *(str(tmp_path / name) for name in names)]
    monkeypatch.setenv("PATH", ":".join([*entries, str(systemctl.folder), "/bin"]))
    antidrift("service", "install")

    kept = f"{tmp_path}/own 100%%:{systemctl.folder}:/bin:/usr/local/bin:/usr/bin"
    assert line_of(unit, "Environment") == f'"PATH={kept}"'


@pytest.mark.parametrize("lost", ["bus", "program"])
@pytest.mark.parametrize("verb", ["install", "status"])
def test_without_a_user_manager_it_says_what_to_do_and_does_nothing(
    lost: str,
    verb: str,
    antidrift: Antidrift,
    systemctl: FakeSystemctl,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if lost == "bus":
        systemctl.lose_bus()
    else:
        monkeypatch.setenv("PATH", str(tmp_path / "home"))
    code, out, err = antidrift("service", verb)

    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert err.endswith(
        "put `antidriftd &` into the file that starts your session, such as ~/.xinitrc\n"
    )
    assert list((tmp_path / "home").iterdir()) == []


def test_a_unit_that_systemd_refuses_stays_for_a_look_and_the_error_is_told(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    systemctl.refuse("reenable")
    code, out, err = antidrift("service", "install")

    assert (code, out) == (1, "")
    assert "`systemctl --user reenable antidriftd.service` failed: Failed to reenable: no" in err
    assert unit.exists()


def test_a_unit_that_cannot_be_written_is_told_of(
    antidrift: Antidrift, systemctl: FakeSystemctl, tmp_path: Path
) -> None:
    (tmp_path / "home/.config").touch()
    code, _, err = antidrift("service", "install")

    assert (code, systemctl.orders()) == (1, [])
    assert err.startswith("antidrift: can't ")
    assert err.count("\n") == 1


def test_a_daemon_outside_systemd_is_told_of_and_no_second_one_started(
    antidrift: Antidrift, systemctl: FakeSystemctl, outsider: FakeDaemon
) -> None:
    code, out, err = antidrift("service", "install")

    assert code == 0
    assert out.startswith("installed and not started: ")
    assert "kill 17; systemctl --user start antidriftd" in err
    assert systemctl.orders() == FIRST[:2]


def test_the_daemon_of_the_service_is_no_outsider(
    antidrift: Antidrift, systemctl: FakeSystemctl, outsider: FakeDaemon
) -> None:
    systemctl.set_service(ACTIVE)

    assert antidrift("service", "install")[2] == ""
    assert systemctl.orders() == FIRST


def test_print_shows_what_install_writes_and_writes_nothing(
    antidrift: Antidrift, systemctl: FakeSystemctl, unit: Path
) -> None:
    code, printed, err = antidrift("service", "install", "--print")
    assert (code, err) == (0, "")
    assert (unit.exists(), systemctl.orders()) == (False, [])

    antidrift("service", "install")
    assert unit.read_text() == printed
    assert json.loads(antidrift("service", "install", "--print", "--json")[1]) == {"text": printed}
