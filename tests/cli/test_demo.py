"""The verb `demo`: a real session on a real daemon, told honestly, with nothing left behind."""

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from antidrift_cli.client import open_client
from antidrift_cli.commands import demo
from antidrift_cli.commands.demo import Stage
from antidrift_cli.errors import Failed
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command, run_client

STEPS = [
    "$ antidrift plan write the sourdough chapter",
    "planning: write the sourdough chapter; begin with: antidrift start",
    "$ antidrift start -t 25m -s 'a friend can bake from it' -a demo-editor",
    "allowed: class demo-editor",
    "drift: on task",
    "window: firefox: Funny cats, part 12 - YouTube — Mozilla Firefox",
    "drift: drifting (",
    "window: xterm: ",
    "unanswered: drifted to firefox: Funny cats, part 12 - YouTube",
    "$ antidrift refocus",
    "cleared: the drift to firefox: Funny cats",
    "window: firefox: Hydration and flour",
    "drift: not judged",
    "$ antidrift ontask",
    "on task: page hydration and flour",
    "undo: antidrift disallow --title '=hydration and flour",
    "$ antidrift complete",
    "time: planned 25m, took ",
    "drifts: 1",
    "$ antidrift review --outcome done",
    "review closed: done",
]


@pytest.fixture
def environ(tmp_path: Path, daemon: FakeDaemon) -> Mapping[str, str]:
    """An environment that would lead a careless demo to the person's own daemon."""
    return {**daemon.environ, "TMPDIR": str(tmp_path), "ANTIDRIFT_AI_BACKEND": "no such thing"}


@contextmanager
def playing(environ: Mapping[str, str], *flags: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        command("demo", *flags), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def left_behind(directory: Path) -> list[str]:
    """Return the demo's directories and processes that are still there."""
    marker = str(directory / "antidrift-demo-")
    processes = [
        line.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        for line in Path("/proc").glob("[0-9]*/cmdline")
        if line.exists()
    ]
    return [*map(str, directory.glob("antidrift-demo-*")), *(p for p in processes if marker in p)]


def test_it_plays_a_whole_session(
    environ: Mapping[str, str], tmp_path: Path, daemon: FakeDaemon
) -> None:
    with playing(environ) as told, playing(environ, "--json") as as_json:
        out, err = told.communicate(timeout=PATIENCE_SECS)
        state, json_err = as_json.communicate(timeout=PATIENCE_SECS)

    assert (told.returncode, err) == (0, b"")
    rest = out.decode()
    for step in STEPS:
        assert step in rest
        rest = rest[rest.index(step) + len(step) :]
    assert (as_json.returncode, json_err) == (0, b"")
    assert json.loads(state)["runtime"] == "idle"
    assert left_behind(tmp_path) == []
    assert daemon.received == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_all_that_it_started(
    environ: Mapping[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    with playing(environ) as process:
        assert process.stdout
        while b"started: " not in process.stdout.readline():
            pass
        assert len(left_behind(tmp_path)) > 1
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE_SECS)

    assert process.returncode == (130 if number == signal.SIGINT else 128 + number)
    assert err == b""
    assert left_behind(tmp_path) == []


def test_a_reader_that_leaves_ends_it(environ: Mapping[str, str], tmp_path: Path) -> None:
    done = run_client("demo", environ=environ, then="| head -n 3")

    assert (done.returncode, done.stderr) == (0, b"")
    assert left_behind(tmp_path) == []


def test_a_daemon_that_does_not_start_is_told(environ: Mapping[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "broken" / "antidriftd"
    broken.mkdir(parents=True)
    (broken / "__init__.py").touch()
    (broken / "__main__.py").write_text(
        "import sys; print('one', file=sys.stderr); raise SystemExit('no \\x1b sensor')\n"
    )
    done = run_client(
        "demo", environ={**environ, "PYTHONPATH": f"{broken.parent}:{environ['PYTHONPATH']}"}
    )

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"antidrift: the demo's own daemon stopped at once: no \\x1b sensor\n"
    assert left_behind(tmp_path) == []


def test_a_state_that_does_not_come_is_a_failure(
    daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "_PATIENCE_SECS", 0.3)
    with open_client(daemon.environ) as client:
        stage = Stage(client, daemon.environ, quiet=True)
        with pytest.raises(Failed, match="no sign that pigs fly"):
            stage.wait_until("pigs fly", lambda state: False)


def test_a_command_that_fails_is_a_failure(
    daemon: FakeDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_client(daemon.environ) as client:
        stage = Stage(client, daemon.environ, quiet=False)
        with pytest.raises(Failed, match="`antidrift extend 0` ended with 2"):
            stage.type("extend", "0")

    assert "out of range" in capsys.readouterr().out
