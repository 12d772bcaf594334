"""`start` on a terminal offers the programs seen lately."""

from msgspec.structs import replace

from tests.cli.fake_daemon import INFO, FakeDaemon
from tests.cli.samples import ACTIVE, PLANNING
from tests.cli.terminal import open_terminal

SEEN = replace(INFO, seen_classes=("code", "Tor Browser", "ev\x1bince"))


def offering(daemon: FakeDaemon) -> FakeDaemon:
    daemon.info = SEEN
    daemon.state = PLANNING
    daemon.answers["start"] = ACTIVE
    return daemon


def test_numbers_and_names_are_allowed(daemon: FakeDaemon) -> None:
    with open_terminal(offering(daemon), "start") as terminal:
        terminal.wait_for(b"seen lately: 1 code, 2 Tor Browser, 3 ev\\x1bince")
        terminal.type(b"4\n")
        terminal.wait_for(b"4 is not one of 1 to 3")
        terminal.type(b"1, Tor Browser, mpv\n")
        assert terminal.exit_code() == 0

    assert daemon.params("start") == {"allowed_window_classes": ["code", "Tor Browser", "mpv"]}


def test_enter_allows_none(daemon: FakeDaemon) -> None:
    with open_terminal(offering(daemon), "start") as terminal:
        terminal.wait_for(b"Which belong")
        terminal.type(b"\n")
        assert terminal.exit_code() == 0

    assert daemon.params("start") == {}


def test_ctrl_c_starts_nothing(daemon: FakeDaemon) -> None:
    with open_terminal(offering(daemon), "start") as terminal:
        terminal.wait_for(b"Which belong")
        assert terminal.interrupt() == 130

    assert "start" not in daemon.methods()


def test_nobody_is_asked_when_classes_are_given_or_nothing_was_seen(daemon: FakeDaemon) -> None:
    with open_terminal(offering(daemon), "start", "-a", "code") as terminal:
        assert terminal.exit_code() == 0
    daemon.info = INFO
    with open_terminal(daemon, "start") as terminal:
        assert terminal.exit_code() == 0

    assert b"Which belong" not in terminal.seen
