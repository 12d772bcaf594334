"""The verb `watch` in a pipe: each form at once, for as long as somebody reads it."""

import json
import signal
import subprocess
import sys

import pytest
from msgspec.structs import replace

from protocol.errors import RpcError
from tests.cli.fake_daemon import (
    PATIENCE_SECS,
    FakeDaemon,
    run_client,
)
from tests.cli.live.watching import Watch, watching
from tests.cli.samples import (
    ACTIVE,
    IDLE,
    PLANNING,
)
from tests.cli.test_startup import HEAVY, REPORT_MODULES


def test_json_is_a_state_a_line(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--json") as watch:
        assert json.loads(watch.line())["revision"] == IDLE.revision
        daemon.publish(replace(PLANNING, intent="日本\u202e"))
        line = watch.line()

    assert line.isascii()
    assert json.loads(line)["intent"] == "日本\u202e"


def test_several_states_in_one_piece_are_all_shown(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--json") as watch:
        watch.line()
        for revision in range(100, 200):
            daemon.publish(replace(IDLE, revision=revision))
        assert [json.loads(watch.line())["revision"] for _ in range(100)] == list(range(100, 200))


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_it_ends_quietly_when_its_reader_has_seen_enough(
    daemon: FakeDaemon, flags: list[str]
) -> None:
    """Nothing happens after the first line: a watcher that only notices when it writes hangs."""
    done = run_client("watch", *flags, environ=daemon.environ, then="| head -n 1")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_ctrl_c_ends_it(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        watch.line()
        watch.process.send_signal(signal.SIGINT)
        assert watch.process.wait(PATIENCE_SECS) == 130
        assert watch.process.stderr
        assert watch.process.stderr.read() == b""


def test_when_the_daemon_goes_away_it_waits_for_the_next_one(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--json") as watch:
        watch.line()
        daemon.state = PLANNING
        daemon.hang_up()
        assert "went away" in watch.complaint()
        assert json.loads(watch.line())["revision"] == PLANNING.revision
        assert watch.complaint() == "antidrift: the daemon is back"
        daemon.publish(ACTIVE)
        assert json.loads(watch.line())["revision"] == ACTIVE.revision


def test_a_daemon_that_has_no_room_yet_is_tried_again(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--json") as watch:
        watch.line()
        daemon.answers["watch"] = RpcError("too_busy", "64 connections are open")
        daemon.hang_up()
        assert "went away" in watch.complaint()
        daemon.wait_until_asked("watch", times=2)
        daemon.answers["watch"] = PLANNING
        assert json.loads(watch.line())["revision"] == PLANNING.revision


@pytest.mark.parametrize("flags", [["--format", "json"], ["--json", "--format", "json"]], ids=str)
def test_the_format_json_is_the_flag(daemon: FakeDaemon, flags: list[str]) -> None:
    with watching(daemon.environ, *flags) as watch:
        assert json.loads(watch.line())["revision"] == IDLE.revision


def test_two_formats_at_once_are_refused(daemon: FakeDaemon) -> None:
    done = run_client("watch", "--json", "--format", "waybar", environ=daemon.environ)

    assert done.returncode == 2
    assert b"exclude each other" in done.stdout
    assert daemon.asked == []


def test_without_a_daemon_at_the_start_it_ends(daemon: FakeDaemon) -> None:
    daemon.close()
    done = run_client("watch", environ=daemon.environ)

    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"antidrift: no daemon answers at ")


@pytest.mark.parametrize("flags", [["--json"], ["--format", "plain"]], ids=str)
def test_it_ends_with_its_reader_also_while_the_daemon_hangs(
    daemon: FakeDaemon, flags: list[str]
) -> None:
    """It would take ten seconds to give the daemon up."""
    daemon.answers["info"] = b""
    with watching(daemon.environ, *flags) as watch:
        daemon.wait_until_asked("info")
        watch.stop_reading()
        assert watch.process.wait(8) == 0


@pytest.mark.parametrize("flags", [[], ["--json"], ["--format", "waybar"]], ids=str)
def test_what_is_no_view_imports_nothing_heavy(daemon: FakeDaemon, flags: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", REPORT_MODULES, "watch", *flags],
        env=daemon.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        watch = Watch(process)
        watch.line()
        watch.stop_reading()
        assert process.stderr
        modules = set(process.stderr.read().decode().split())

    assert "antidrift_cli.live.following" in modules
    assert modules & HEAVY == set()
