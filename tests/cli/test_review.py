"""The verb `review` on a terminal: it asks, and Ctrl-C leaves the review open."""

import pytest

from protocol.errors import RpcError
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import IDLE, REVIEW
from tests.cli.terminal import open_terminal


@pytest.fixture
def reviewing(daemon: FakeDaemon) -> FakeDaemon:
    daemon.state = REVIEW
    daemon.answers["review"] = IDLE
    return daemon


def test_bare_it_asks_for_the_outcome_and_a_note(reviewing: FakeDaemon) -> None:
    with open_terminal(reviewing, "review") as terminal:
        terminal.wait_for(b"How did it go")
        terminal.type(b"great\n")
        terminal.wait_for(b"'great' is not one of")
        terminal.type(b"partial\n")
        terminal.wait_for(b"What to remember")
        terminal.type("zwölf\n".encode())
        terminal.wait_for(b"review closed: partial")
        assert terminal.exit_code() == 0

    assert reviewing.params("review") == {"outcome": "partial", "note": "zwölf"}


def test_return_twice_is_done_without_a_note(reviewing: FakeDaemon) -> None:
    with open_terminal(reviewing, "review") as terminal:
        terminal.wait_for(b"How did it go")
        terminal.type(b"\n")
        terminal.wait_for(b"What to remember")
        terminal.type(b"\n")
        terminal.wait_for(b"review closed: done")

    assert reviewing.params("review") == {"outcome": "done"}


def test_ctrl_c_leaves_the_review_open(reviewing: FakeDaemon) -> None:
    with open_terminal(reviewing, "review") as terminal:
        terminal.wait_for(b"How did it go")
        assert terminal.interrupt() == 130

    assert b"Traceback" not in terminal.seen
    assert "review" not in reviewing.methods()


@pytest.mark.parametrize("flags", [["--note", "x"], ["--outcome", "done"], ["--json"]], ids=str)
def test_with_a_flag_it_does_not_ask(reviewing: FakeDaemon, flags: list[str]) -> None:
    with open_terminal(reviewing, "review", *flags) as terminal:
        assert terminal.exit_code() == 0

    assert reviewing.methods() == ["review"]


def test_without_a_review_it_does_not_ask_but_says_so(daemon: FakeDaemon) -> None:
    daemon.answers["review"] = RpcError("wrong_state", "nothing to review")
    with open_terminal(daemon, "review") as terminal:
        terminal.wait_for(b"nothing to review")
        assert terminal.exit_code() == 1
