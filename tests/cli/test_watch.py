"""The verb `watch`: a line for what is new, at once, for as long as somebody reads it."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from antidrift_cli.live.lines import changes
from protocol import views
from protocol.errors import RpcError
from tests.cli.fake_daemon import (
    PATIENCE_SECS,
    FakeDaemon,
    command,
    open_fake_daemon,
    protocol_of,
    run_client,
)
from tests.cli.live.moments import with_time_left
from tests.cli.samples import (
    ACTIVE,
    ASKED,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    NO_PROPOSAL,
    NOON,
    PLANNING,
    PROFILE,
    PROPOSED,
    REVIEW,
    TASKS,
)
from tests.cli.test_startup import HEAVY, REPORT_MODULES

BLIND = replace(IDLE, sensor=views.Sensor(name="x11", status="unavailable", detail="gone"))


@contextmanager
def watching(environ: Mapping[str, str], *flags: str) -> Iterator["Watch"]:
    with subprocess.Popen(
        command("watch", *flags), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Watch(process)
        finally:
            process.kill()


class Watch:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().decode().removesuffix("\n")

    def lines_until(self, wanted: str) -> list[str]:
        lines = [self.line()]
        while wanted not in lines[-1]:
            lines.append(self.line())
        return lines

    def stop_reading(self) -> None:
        assert self.process.stdout
        self.process.stdout.close()

    def complaint(self) -> str:
        assert self.process.stderr
        return self.process.stderr.readline().decode().removesuffix("\n")


@pytest.mark.parametrize(
    ("before", "after", "starts"),
    [
        (None, IDLE, ["idle: ", "window: none"]),
        (None, BLIND, ["idle: ", "sensor: can't see your windows (x11: gone)"]),
        (IDLE, replace(IDLE, revision=2), []),
        (IDLE, PLANNING, ["planning: "]),
        (PLANNING, replace(PLANNING, intent="more"), ["planning: more"]),
        (PLANNING, ACTIVE, ["active: ", "window: code", "drift: on task"]),
        (ACTIVE, DRIFTING, ["window: firefox", "drift: drifting", "answer: "]),
        (DRIFTING, IN_TERMINAL, ["window: xterm", "drift: not judged", "unanswered: ", "answer: "]),
        (ACTIVE, REVIEW, ["review: "]),
        (IDLE, BLIND, ["sensor: "]),
        (PLANNING, ASKED, ["coach: asked"]),
        (ASKED, PROPOSED, ["proposal: ", "  done when: ", "  allowed: "]),
        (ASKED, NO_PROPOSAL, ["coach: no proposal"]),
        (PROPOSED, PLANNING, []),
        (
            PLANNING,
            replace(PLANNING, knowledge=views.Knowledge(status="ready", path=PROFILE)),
            ["grounded by me.md"],
        ),
        (
            replace(PLANNING, tasks=views.Tasks(status="pending")),
            replace(PLANNING, tasks=views.Tasks(status="ready", items=TASKS)),
            ["2 tasks"],
        ),
        (
            ACTIVE,
            replace(ACTIVE, nudge=views.Nudge(text="halfway there", at=NOON)),
            ["nudge: halfway there"],
        ),
        (
            replace(IDLE, notices=("old",)),
            replace(IDLE, notices=("old", "new")),
            ["notice: new"],
        ),
    ],
)
def test_what_is_new_gets_a_line(
    before: views.State | None, after: views.State, starts: list[str]
) -> None:
    lines = changes(before, after)

    assert len(lines) == len(starts)
    for line, start in zip(lines, starts, strict=True):
        assert line.startswith(start)


def test_a_session_that_turns_stale_says_so() -> None:
    assert ACTIVE.commitment
    stale = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))

    assert "active: write the chapter (stale)" in changes(ACTIVE, stale)


def test_lines_come_at_once_and_tell_the_time(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        assert re.fullmatch(r"\d\d:\d\d:\d\d idle: .*", watch.line())
        assert watch.line()[9:] == "window: none"
        daemon.publish(PLANNING)
        assert watch.line()[9:].startswith("planning: write the chapter")


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


def test_after_a_gap_only_what_is_new_is_shown(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        watch.line()
        watch.line()
        daemon.state = PLANNING
        daemon.hang_up()
        assert watch.line()[9:].startswith("planning: ")


def test_a_hostile_title_is_one_printable_line(daemon: FakeDaemon) -> None:
    assert ACTIVE.window
    title = "x \x1b[2J\n00:00:00 idle: forged \u202e\x9b"
    daemon.state = replace(ACTIVE, window=replace(ACTIVE.window, title=title))
    with watching(daemon.environ) as watch:
        lines = [watch.line() for _ in range(3)]

    assert [line[9:].split(":")[0] for line in lines] == ["active", "window", "drift"]
    assert all(line.isprintable() for line in lines)


def test_the_end_of_the_time_is_a_line_of_its_own_at_that_moment(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        watch.lines_until("window: none")
        daemon.publish(with_time_left(ACTIVE, 1.5))
        lines = watch.lines_until("time is up")
        assert [line[9:].split(":")[0] for line in lines] == [
            "active",
            "window",
            "drift",
            "time is up",
        ]

        daemon.publish(with_time_left(replace(ACTIVE, notices=("over",)), 0))
        assert watch.lines_until("time is up")[0][9:] == "notice: over"

        daemon.publish(IDLE)
        assert watch.line()[9:].startswith("idle: ")


def test_what_was_said_of_the_time_is_not_said_again(daemon: FakeDaemon) -> None:
    over = with_time_left(ACTIVE, -5)
    with watching(daemon.environ) as watch:
        daemon.publish(over)
        watch.lines_until("time is up")
        daemon.publish(replace(over, notices=("one",)))
        daemon.publish(IDLE)
        assert [line[9:15] for line in watch.lines_until("idle")] == ["notice", "idle: "]


def test_the_time_of_a_stale_session_is_not_up(daemon: FakeDaemon) -> None:
    assert ACTIVE.commitment
    daemon.state = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))
    with watching(daemon.environ) as watch:
        watch.lines_until("active")
        daemon.publish(IDLE)
        assert not any("time is up" in line for line in watch.lines_until("idle"))


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


def test_a_bar_gets_a_line_when_its_text_changes_and_only_then(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--format", "plain") as watch:
        idle = watch.line()
        daemon.publish(replace(IDLE, revision=7, notices=("no change for a bar",)))
        daemon.publish(PLANNING)
        planning = watch.line()
        daemon.publish(IDLE)

        assert idle != planning
        assert watch.line() == idle


def test_a_bar_gets_a_line_when_the_shown_minute_changes(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--format", "waybar") as watch:
        watch.line()
        daemon.publish(with_time_left(ACTIVE, 121.5))
        first = json.loads(watch.line())
        assert json.loads(watch.line())["text"] != first["text"]


@pytest.mark.parametrize("bar", ["plain", "waybar", "i3blocks", "i3status-rust", "tmux"])
def test_a_bar_shows_off_without_a_daemon_and_finds_each_new_one(
    daemon: FakeDaemon, bar: str
) -> None:
    daemon.close()
    with watching(daemon.environ, "--format", bar) as watch:
        off = watch.line()
        with open_fake_daemon(daemon.path.parent) as next_one:
            next_one.state = DRIFTING
            drifting = watch.line()
        assert watch.line() == off
        with open_fake_daemon(daemon.path.parent) as next_one:
            next_one.state = DRIFTING
            assert watch.line() == drifting
        assert drifting != off


def test_a_bar_that_is_gone_ends_it_also_while_it_waits_for_a_daemon(daemon: FakeDaemon) -> None:
    daemon.close()
    done = run_client("watch", "--format", "waybar", environ=daemon.environ, then="| head -n 1")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_a_daemon_of_another_protocol_ends_a_bar_that_shows_off(daemon: FakeDaemon) -> None:
    daemon.info = protocol_of(99, "9.9.9")
    done = run_client("watch", "--format", "i3blocks", environ=daemon.environ)

    assert done.returncode == 4
    assert json.loads(done.stdout)["full_text"]
    assert b"protocol 99" in done.stderr
