"""The verb `review` on a terminal: it asks, and Ctrl-C leaves the review open."""

import os
import pty
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from protocol.errors import RpcError
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command
from tests.cli.samples import IDLE, REVIEW


class Terminal:
    """A terminal with the client in it."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self._descriptor = descriptor
        self.process = process
        self.seen = b""

    def wait_for(self, text: bytes) -> None:
        while text not in self.seen:
            ready, _, _ = select.select([self._descriptor], [], [], PATIENCE_SECS)
            assert ready, self.seen
            self.seen += os.read(self._descriptor, 4096)

    def exit_code(self) -> int:
        """Read on to the end (a process doesn't end before its output is taken), and wait."""
        with suppress(OSError):  # EIO: nobody has the terminal open any more
            while data := os.read(self._descriptor, 4096):
                self.seen += data
        return self.process.wait(PATIENCE_SECS)

    def type(self, keys: bytes) -> None:
        os.write(self._descriptor, keys)


@contextmanager
def open_terminal(daemon: FakeDaemon, *args: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["setsid", "--ctty", "--wait", *command(*args)],
        env=daemon.environ,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process)
        finally:
            process.kill()
            os.close(ours)


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
        terminal.type(b"\x03")
        assert terminal.exit_code() == 130

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
