"""The view in a real terminal: what keys, signals, sizes and the daemon do to it."""

import signal

import pytest
from msgspec.structs import replace

from protocol import views
from protocol.errors import RpcError
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, open_fake_daemon
from tests.cli.live.moments import with_time_left
from tests.cli.live.viewer import open_viewer
from tests.cli.samples import ACTIVE, DRIFTING, IDLE, NOON, PLANNING, REVIEW, allowing

COLOURS = {*range(30, 50), *range(90, 108)}


def test_a_new_state_is_drawn_at_once(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("idle: nothing planned")
        daemon.publish(PLANNING)
        rows = viewer.sees("planning: write the chapter")

        assert rows[-1] == "begin: antidrift start, q quit"
        assert not any("idle" in row for row in rows)


def test_the_countdown_moves_by_itself_and_says_when_the_time_is_up(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        daemon.publish(with_time_left(ACTIVE, 3.5))
        viewer.sees_time_pass("s left of 25m")
        viewer.sees_time_pass("time is up: overtime ")

    assert daemon.methods() == ["state", "watch"]


@pytest.mark.parametrize("state", [IDLE, PLANNING, REVIEW], ids=lambda each: each.runtime)
def test_nothing_is_written_while_nothing_changes(daemon: FakeDaemon, state: views.State) -> None:
    daemon.state = state
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        assert viewer.terminal.is_quiet(2.5)


def test_a_second_costs_only_the_rows_that_changed(daemon: FakeDaemon) -> None:
    daemon.state = with_time_left(ACTIVE, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.seen = b""
        viewer.sees_time_pass("s left of 25m")

    assert b"write the chapter" not in viewer.terminal.seen


@pytest.mark.parametrize(
    ("key", "method", "params"),
    [
        (b"o", "ontask", {}),
        (b"r", "refocus", {}),
        (b"c", "complete", {}),
        (b"+", "extend", {"secs": 300}),
        (b"p", "pause", {}),
    ],
)
def test_a_key_asks_for_what_the_verb_asks_for(
    daemon: FakeDaemon, key: bytes, method: str, params: dict[str, int]
) -> None:
    daemon.state = with_time_left(DRIFTING, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.type(key)
        daemon.wait_until_asked(method)

    assert daemon.params(method) == params


def test_the_answer_to_a_key_tells_how_to_undo_it_and_goes_after_a_while(
    daemon: FakeDaemon,
) -> None:
    daemon.state = with_time_left(DRIFTING, 600)
    daemon.answers["ontask"] = allowing(daemon.state, classes=("firefox",))
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.type(b"o")
        viewer.sees("on task: class firefox is allowed; undo: antidrift disallow")
        viewer.sees_no_more("undo: antidrift disallow")


def test_a_refused_key_shows_why_and_the_view_goes_on(daemon: FakeDaemon) -> None:
    daemon.answers["complete"] = RpcError("not_active", "no session runs \x1b[2J", "idle")
    with open_viewer(daemon) as viewer:
        viewer.sees("idle: ")
        viewer.terminal.type(b"c")
        viewer.sees(r"no session runs \x1b[2J")
        daemon.publish(PLANNING)
        viewer.sees("planning: ")
        viewer.terminal.type(b"q")
        assert viewer.end() == 0


def test_a_paste_and_arrow_keys_give_no_orders(daemon: FakeDaemon) -> None:
    daemon.state = with_time_left(ACTIVE, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.type(b"\x1b[200~corq\x1b[201~\x1b[A\x1bOq")
        viewer.terminal.type(b"+")
        daemon.wait_until_asked("extend")

    assert [each for each in daemon.methods() if each in ("complete", "ontask", "refocus")] == []


def test_while_the_daemon_hangs_a_key_still_quits(daemon: FakeDaemon) -> None:
    daemon.answers["ontask"] = b""
    daemon.state = with_time_left(ACTIVE, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.type(b"o")
        daemon.wait_until_asked("ontask")
        viewer.sees_time_pass("s left of 25m")
        viewer.terminal.type(b"q")
        assert viewer.end() == 0


def test_q_gives_the_terminal_back(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        assert not viewer.terminal_is_restored()
        viewer.terminal.type(b"q")
        assert viewer.end() == 0
        assert viewer.terminal_is_restored()


def test_ctrl_c_gives_the_terminal_back(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.type(b"\x03")
        assert viewer.end() == 130
        assert viewer.terminal_is_restored()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(daemon: FakeDaemon, number: signal.Signals) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.process.send_signal(number)
        assert viewer.end() == 128 + number
        assert viewer.terminal_is_restored()


def test_a_daemon_that_cannot_be_understood_gives_the_terminal_back(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        daemon.send(b"no JSON at all\n")
        assert viewer.end() == 4
        assert viewer.terminal_is_restored()
        assert "does not speak Antidrift's protocol" in viewer.said_after


def test_another_size_is_another_picture(daemon: FakeDaemon) -> None:
    daemon.state = with_time_left(DRIFTING, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("o on task, r refocus, c complete, p pause, + 5 min, q quit")
        viewer.terminal.resize(40, 24)
        viewer.wait_until(lambda rows: bool(rows) and rows[-1] == "p pause, + 5 min, q quit")
        assert viewer.picture.widest() <= 40
        viewer.terminal.resize(20, 8)
        viewer.wait_until(lambda rows: bool(rows) and rows[-1] == "o on task, r refocus")
        assert viewer.picture.widest() <= 20
        assert len(viewer.picture.rows()) <= 8


def test_after_a_resize_all_is_written_again(daemon: FakeDaemon) -> None:
    """Terminals move what is on them to fit the new size."""
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.seen = b""
        viewer.terminal.resize(79, 23)
        viewer.terminal.wait_for(b"idle: nothing planned")


def test_it_ends_with_its_terminal(daemon: FakeDaemon) -> None:
    daemon.state = with_time_left(ACTIVE, 600)
    with open_viewer(daemon) as viewer:
        viewer.sees("q quit")
        viewer.terminal.hang_up()
        assert viewer.terminal.process.wait(PATIENCE_SECS) in (0, 128 + signal.SIGHUP)


def test_when_the_daemon_goes_away_the_view_waits_for_the_next_one(daemon: FakeDaemon) -> None:
    with open_viewer(daemon) as viewer:
        viewer.sees("idle: ")
        daemon.close()
        viewer.sees("the daemon went away; waiting for it")
        with open_fake_daemon(daemon.path.parent) as next_one:
            next_one.state = PLANNING
            viewer.sees("planning: write the chapter")
            viewer.sees("the daemon is back")
            assert not any("went away" in row for row in viewer.picture.rows())


def test_without_a_daemon_at_the_start_nothing_is_drawn(daemon: FakeDaemon) -> None:
    daemon.close()
    with open_viewer(daemon) as viewer:
        assert viewer.end() == 3
        assert "no daemon answers" in viewer.said_after
        assert "\x1b" not in viewer.said_after


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_who_wants_it(
    daemon: FakeDaemon, variables: dict[str, str], *, coloured: bool
) -> None:
    daemon.state = DRIFTING
    with open_viewer(daemon, size=(80, 24), **variables) as viewer:
        viewer.sees("q quit")

    assert bool(viewer.picture.styles & COLOURS) == coloured
    assert any("DRIFTING" in row for row in viewer.picture.rows())


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(daemon: FakeDaemon) -> None:
    with open_viewer(daemon, TERM="dumb") as viewer:
        viewer.terminal.wait_for(b"idle: nothing planned")
        daemon.publish(PLANNING)
        viewer.terminal.wait_for(b"planning: write the chapter")
        assert b"\x1b" not in viewer.terminal.seen


def test_without_utf_8_all_is_ascii(daemon: FakeDaemon) -> None:
    window = views.Window(window_class="firefox", title="日本…", since=NOON)
    daemon.state = replace(with_time_left(DRIFTING, 600), window=window)
    with open_viewer(daemon, LC_ALL="C") as viewer:
        rows = viewer.sees("q quit")

    assert all(row.isascii() for row in rows)
    assert any(r"\u65e5\u672c" in row for row in rows)
    assert any("####" in row for row in rows)


def test_a_hostile_title_writes_no_code_but_ours(daemon: FakeDaemon) -> None:
    title = "x \x1b[2J\x1b]52;c;QQ==\x07\x9b\n\u202e\u200bok [bold red]y[/] :smile:"
    daemon.state = replace(
        DRIFTING, window=views.Window(window_class="firefox", title=title, since=NOON)
    )
    with open_viewer(daemon, size=(160, 24)) as viewer:
        viewer.sees("q quit")

    assert any(
        r"x \x1b[2J\x1b]52;c;QQ==\x07\x9b\x0a\u202e\u200bok [bold red]y[/]" in row
        for row in viewer.picture.rows()
    )
