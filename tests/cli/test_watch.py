"""The verb `watch`: a line for what is new, at once, for as long as somebody reads it."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from antidrift_cli.live.lines import changes
from protocol import views
from protocol.errors import RpcError
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command, run_client
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
