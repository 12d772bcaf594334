"""The text of a bar: a line when it changes, whether or not there is a daemon."""

import json

import pytest
from msgspec.structs import replace

from tests.cli.fake_daemon import (
    FakeDaemon,
    open_fake_daemon,
    protocol_of,
    run_client,
)
from tests.cli.live.moments import with_time_left
from tests.cli.live.watching import watching
from tests.cli.samples import (
    ACTIVE,
    DRIFTING,
    IDLE,
    PLANNING,
)


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
    state = with_time_left(DRIFTING, 3590)  # the minute that is shown stays for a while
    daemon.close()
    with watching(daemon.environ, "--format", bar) as watch:
        off = watch.line()
        with open_fake_daemon(daemon.path.parent) as next_one:
            next_one.state = state
            drifting = watch.line()
        assert watch.line() == off
        with open_fake_daemon(daemon.path.parent) as next_one:
            next_one.state = state
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
