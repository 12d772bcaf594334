"""The verb `doctor`: what it sees without the daemon's help, and how it shows all findings."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol import paths, prompt
from protocol.errors import RpcError
from protocol.views import Diagnosis, Finding
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import INFO, FakeDaemon, protocol_of

HEALTHY = Diagnosis(
    findings=(
        Finding(name="config", status="ok", detail="good"),
        Finding(name="sensor", status="ok", detail="x11 is running"),
        Finding(name="new in 2.0", status="ok", detail="fine"),
    )
)
WARNED = Finding(name="ai", status="warning", detail="not there", remedy="restart the daemon")
HINT = "`antidrift service install` starts the daemon with your session"
PID = 4711


@pytest.fixture
def healthy(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDaemon:
    """A daemon that finds nothing amiss, and whose prompt file is there."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("antidrift_cli.starting._BOOTED", str(tmp_path))
    daemon.answers["doctor"] = HEALTHY
    daemon.info = replace(INFO, pid=PID, socket=str(daemon.path))
    write_prompt(daemon, PID)
    return daemon


def prompt_file(daemon: FakeDaemon) -> Path:
    return Path(paths.prompt_path(str(daemon.path)))


def write_prompt(daemon: FakeDaemon, pid: int) -> None:
    status = prompt.PromptStatus(pid, "idle", "idle", "none", False, 0)
    prompt_file(daemon).write_bytes(prompt.encode(status))


def examined(antidrift: Antidrift) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the exit code and the findings by name; each that isn't ok must say what helps."""
    code, out, err = antidrift("doctor", "--json")
    findings = json.loads(out)["findings"]
    assert err == ""
    for each in findings:
        assert (each["status"] == "ok") == (not each.get("remedy"))
    assert code == any(each["status"] == "failed" for each in findings)
    return code, {each["name"]: each for each in findings}


# --- how it is shown ---------------------------------------------------------------------------


def test_each_line_says_how_it_is_in_an_order_that_leads_from_cause_to_effect(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    code, out, err = antidrift("doctor")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "ok       config: good",
        f"ok       socket: {healthy.path}, in a directory that is yours alone",
        f"ok       daemon: version 0.1.0, pid {PID}",
        "ok       protocol: both sides speak 1",
        "ok       sensor: x11 is running",
        "ok       new in 2.0: fine",
        f"ok       prompt: {prompt_file(healthy)}",
        f"ok       service: not installed; {HINT}",
    ]


def test_a_warning_comes_with_what_helps_and_is_no_failure(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    healthy.answers["doctor"] = Diagnosis(findings=(WARNED,))
    code, out, _ = antidrift("doctor")

    assert code == 0
    assert "warning  ai: not there\n         -> restart the daemon\n" in out


def test_one_failure_is_the_exit_code(healthy: FakeDaemon, antidrift: Antidrift) -> None:
    failed = replace(WARNED, status="failed")
    healthy.answers["doctor"] = Diagnosis(findings=(failed, *HEALTHY.findings))

    assert antidrift("doctor")[0] == 1


def test_as_json_it_is_one_object(healthy: FakeDaemon, antidrift: Antidrift) -> None:
    healthy.answers["doctor"] = Diagnosis(findings=(WARNED,))
    _, out, _ = antidrift("doctor", "--json")

    assert out.count("\n") == 1
    assert list(json.loads(out)) == ["findings"]
    assert examined(antidrift)[1]["ai"] == {
        "name": "ai",
        "status": "warning",
        "detail": "not there",
        "remedy": "restart the daemon",
    }


def test_what_others_wrote_is_made_visible_and_cut(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    hostile = "x\x1b[2J\u202e\n" + "日" * 3000
    finding = Finding(name=hostile, status="warning", detail=hostile, remedy=hostile)
    healthy.answers["doctor"] = Diagnosis(findings=(finding,))
    lines = antidrift("doctor")[1].splitlines()

    assert len([line for line in lines if "x\\x1b[2J\\u202e" in line]) == 2
    assert all(line.isprintable() and len(line) < 900 for line in lines)


# --- the daemon --------------------------------------------------------------------------------


def test_without_a_daemon_the_rest_is_looked_at(healthy: FakeDaemon, antidrift: Antidrift) -> None:
    healthy.close()
    code, found = examined(antidrift)

    assert code == 1
    assert list(found) == ["config", "socket", "daemon", "service"]
    assert found["config"]["detail"].endswith("no such file, so the defaults hold")
    assert found["daemon"]["detail"] == "none answers"
    assert "`antidriftd`" in found["daemon"]["remedy"]


def test_without_a_daemon_and_without_a_place_for_it_that_is_told(
    healthy: FakeDaemon, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy.close()
    monkeypatch.delenv("ANTIDRIFT_SOCKET")
    monkeypatch.setenv("HOME", "/no/home")
    _, found = examined(antidrift)

    assert "XDG_RUNTIME_DIR" in found["daemon"]["remedy"]
    assert found["socket"]["detail"].endswith("; the daemon makes its directory")


def test_without_a_daemon_bad_settings_are_told(
    healthy: FakeDaemon, antidrift: Antidrift, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy.close()
    config = tmp_path / "config.toml"
    config.write_text("[drift]\ndwell_secs = true\n")
    monkeypatch.setenv("ANTIDRIFT_CONFIG", str(config))
    _, found = examined(antidrift)
    assert found["config"]["status"] == "failed"
    assert found["config"]["detail"].startswith(f"{config}: `drift.dwell_secs` must be ")

    config.write_text("[drift]\ndwell_secs = 1\n")
    assert examined(antidrift)[1]["config"]["detail"] == f"{config}: good"


def test_another_protocol_is_told_as_such(healthy: FakeDaemon, antidrift: Antidrift) -> None:
    healthy.info = protocol_of(2, "9.0")
    _, found = examined(antidrift)

    assert found["daemon"]["status"] == "ok"
    assert found["protocol"]["status"] == "failed"
    assert found["protocol"]["remedy"] == "update antidrift"
    assert "sensor" not in found


def test_a_daemon_of_another_version_should_be_restarted(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    healthy.info = replace(INFO, pid=PID, version="0.0.9", socket=str(healthy.path))
    _, found = examined(antidrift)

    assert found["daemon"]["status"] == "warning"
    assert f"`kill {PID}`" in found["daemon"]["remedy"]


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (RpcError("method_not_found", "there is no such method", "idle"), f"`kill {PID}`"),
        (RpcError("too_busy", "somebody else looks", "idle"), "try again"),
    ],
)
def test_a_daemon_that_cannot_look_at_itself_is_no_end_of_it(
    healthy: FakeDaemon, antidrift: Antidrift, error: RpcError, remedy: str
) -> None:
    healthy.answers["doctor"] = error
    _, found = examined(antidrift)

    assert found["self-check"]["status"] == "warning"
    assert remedy in found["self-check"]["remedy"]
    assert found["config"]["status"] == "ok"
    assert found["prompt"]["status"] == "ok"


# --- files -------------------------------------------------------------------------------------


def test_a_directory_that_others_can_write_to_is_no_place_for_a_socket(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    healthy.path.parent.chmod(0o777)
    _, found = examined(antidrift)

    assert found["socket"]["status"] == "failed"
    assert found["socket"]["remedy"] == f"type `chmod go-w {healthy.path.parent}`"
    assert found["daemon"]["remedy"] == "see to the socket first"


def test_something_else_in_the_sockets_place_is_told(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    healthy.close()
    healthy.path.write_text("")
    _, found = examined(antidrift)

    assert found["socket"]["status"] == "failed"
    assert found["socket"]["remedy"] == f"type `mv {healthy.path} {healthy.path}.old`"


def test_a_path_that_no_socket_can_have_is_told(
    healthy: FakeDaemon, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTIDRIFT_SOCKET", "/tmp/" + "x" * 200)
    _, found = examined(antidrift)

    assert found["socket"]["remedy"] == "set ANTIDRIFT_SOCKET to a shorter path"


def test_a_place_that_is_no_directory_is_told(
    healthy: FakeDaemon, antidrift: Antidrift, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ANTIDRIFT_SOCKET", str(tmp_path / "file" / "deeper" / "s"))
    _, found = examined(antidrift)

    assert found["daemon"]["status"] == "failed"


def test_a_prompt_file_that_is_missing_or_of_another_daemon_is_told(
    healthy: FakeDaemon, antidrift: Antidrift
) -> None:
    write_prompt(healthy, 1)
    assert "is from another daemon" in examined(antidrift)[1]["prompt"]["detail"]
    prompt_file(healthy).write_text("2 what will be\n")
    assert examined(antidrift)[1]["prompt"]["status"] == "warning"
    prompt_file(healthy).unlink()
    _, found = examined(antidrift)

    assert "No such file" in found["prompt"]["detail"]
    assert f"`kill {PID}`" in found["prompt"]["remedy"]


def test_a_service_that_is_installed_is_told(
    healthy: FakeDaemon, antidrift: Antidrift, tmp_path: Path
) -> None:
    unit = tmp_path / ".config" / "systemd" / "user" / "antidriftd.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\n")
    assert examined(antidrift)[1]["service"]["detail"] == f"installed: {unit}"

    unit.unlink()
    unit.mkdir()
    assert examined(antidrift)[1]["service"]["status"] == "warning"
