"""The verb `demo`: plays a whole session on a private daemon, with what it really answers."""

import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from antidrift_cli.client import Client, open_client
from antidrift_cli.declaring import verb
from antidrift_cli.errors import Failed
from antidrift_cli.output import say, say_json
from antidrift_cli.private_daemon import PAUSE_SECS, open_private_daemon
from protocol.views import State

REPLAY: Final = Path(__file__).parents[1] / "data" / "demo.jsonl"

_PATIENCE_SECS: Final = 20

_DWELL_SECS: Final = 2
"""The daemon's default of `drift.dwell_secs`, with which the private one runs."""


@verb(examples=["antidrift demo"])
def demo(*, as_json: bool = False) -> None:
    """See a whole session played in half a minute.

    On a daemon of its own, with windows from a file: it needs no display and no network, touches
    nothing of yours, and leaves nothing behind. With --json it prints the last State only.
    """
    with open_private_daemon(REPLAY) as environ, open_client(environ) as client:
        stage = Stage(client, environ, quiet=as_json)
        _play(stage)
        if as_json:
            say_json(client.ask("state").json)


class Stage:
    """Where the demo is played: types commands, tells what happens, waits for the daemon."""

    def __init__(self, client: Client, environ: Mapping[str, str], *, quiet: bool) -> None:
        self._client = client
        self._environ = environ
        self._quiet = quiet

    def tell(self, *lines: str) -> None:
        """Say what goes on."""
        self._show(["", *(f"# {line}" for line in lines)])

    def type(self, *words: str) -> None:
        """Run `antidrift` with these words, as a person would, and show what it prints.

        Raises:
            Failed: it exits with anything but 0.
        """
        line = shlex.join(["antidrift", *words])
        self._show([f"$ {line}"])
        done = subprocess.run(
            [sys.executable, "-P", "-m", "antidrift_cli", *words],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self._show(done.stdout.decode(errors="replace").splitlines())
        if done.returncode:
            raise Failed(f"the demo stopped: `{line}` ended with {done.returncode}")

    def wait_until(self, what: str, holds: Callable[[State], bool]) -> None:
        """Wait until the daemon says so.

        Raises:
            Failed: it doesn't in time.
        """
        for _ in range(round(_PATIENCE_SECS / PAUSE_SECS)):
            if holds(self._client.ask("state").state):
                return
            time.sleep(PAUSE_SECS)
        raise Failed(f"the demo stopped: in {_PATIENCE_SECS} s there was no sign that {what}")

    def _show(self, lines: list[str]) -> None:
        if not self._quiet:
            say(lines)


def _play(stage: Stage) -> None:
    stage.tell("A private daemon runs; the windows come from a file. Say what you mean to do:")
    stage.type("plan", "write", "the", "sourdough", "chapter")
    stage.tell("Start, with the one program that surely belongs to it:")
    stage.type("start", "-t", "25m", "-s", "a friend can bake from it", "-a", "demo-editor")

    stage.wait_until("the editor is in front", lambda state: _verdict(state) == "ontask")
    stage.tell("The editor is in front, and it is allowed:")
    stage.type("status")

    stage.wait_until("the video counts as drift", lambda state: _verdict(state) == "drifting")
    stage.tell("You wander off. Two seconds later:")
    stage.type("status")

    stage.wait_until("the terminal is in front", lambda state: _in_front(state) == "xterm")
    stage.tell("You come back to a terminal. The drift stays open until you answer:")
    stage.type("status")
    stage.tell("It was one. Admit it:")
    stage.type("refocus")

    stage.wait_until("the page about flour has been looked at", _page_was_looked_at)
    stage.tell("Now a page that nobody can judge by its title:")
    stage.type("status")
    stage.tell("Say that it belongs to the task:")
    stage.type("ontask")
    stage.tell("Only this page is allowed, not the whole browser. Done:")
    stage.type("complete")
    stage.type("review", "--outcome", "done", "--note", "next: the rye chapter")
    stage.tell(
        "The private daemon ends now and leaves nothing behind.",
        "For the real one: run antidriftd, then antidrift plan.",
    )


def _verdict(state: State) -> str:
    return state.drift.status if state.drift else ""


def _in_front(state: State) -> str:
    return state.window.window_class if state.window else ""


def _page_was_looked_at(state: State) -> bool:
    """Return whether the page about flour has been in front for longer than the dwell."""
    if not state.window or not state.evidence or not state.window.title.startswith("Hydration"):
        return False
    return state.evidence.as_of - state.window.since >= timedelta(seconds=_DWELL_SECS + 1)
