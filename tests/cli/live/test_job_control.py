"""Ctrl-Z and fg, in a real shell."""

import os
import shlex
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.fake_daemon import FakeDaemon, command
from tests.cli.samples import PLANNING
from tests.cli.terminal import Terminal, open_in_terminal

ENTERED = b"\x1b[?1049h"
LEFT = b"\x1b[?1049l"


@contextmanager
def open_shell(daemon: FakeDaemon) -> Iterator[Terminal]:
    environ = {**daemon.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PS1": "ready> "}
    with open_in_terminal(["bash", "--norc", "--noprofile", "-i"], environ) as terminal:
        yield terminal


def only_child(parent: int) -> int:
    (child,) = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return int(child)


def enter(terminal: Terminal, keys: bytes, *texts: bytes) -> None:
    """Type `keys`, and wait until each of `texts` has come since."""
    terminal.seen = b""
    terminal.type(keys)
    for text in texts:
        terminal.wait_for(text)


def test_ctrl_z_leaves_a_usable_terminal_and_fg_draws_again(daemon: FakeDaemon) -> None:
    watch = shlex.join(command("watch")).encode()
    with open_shell(daemon) as terminal:
        terminal.wait_for(b"ready> ")
        enter(terminal, watch + b"\n", ENTERED, b" quit")
        enter(terminal, b"\x1a", LEFT, b"Stopped", b"ready> ")
        enter(terminal, b"stty -a; echo st''ty\n", b"stty", b"ready> ")
        assert {b"icanon", b"echo"} <= set(terminal.seen.split())

        daemon.publish(PLANNING)
        enter(terminal, b"fg\n", ENTERED, b"planning: write the chapter")
        assert not terminal.mode()[3] & (termios.ICANON | termios.ECHO)
        enter(terminal, b"q", LEFT, b"ready> ")


def test_a_stop_that_nobody_can_handle_is_mended_by_the_next_picture(daemon: FakeDaemon) -> None:
    """SIGSTOP gives no warning; the shell that comes to the front changes the terminal."""
    watch = shlex.join(command("watch")).encode()
    with open_shell(daemon) as terminal:
        terminal.wait_for(b"ready> ")
        enter(terminal, watch + b"\n", ENTERED, b" quit")
        terminal.seen = b""
        os.kill(only_child(terminal.process.pid), signal.SIGSTOP)
        terminal.wait_for(b"ready> ")
        enter(terminal, b"fg\n", b"idle: nothing planned")
        assert not terminal.mode()[3] & (termios.ICANON | termios.ECHO)
        enter(terminal, b"q", LEFT, b"ready> ")
