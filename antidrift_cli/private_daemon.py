"""A daemon of its own for the demo: nothing of it stays, whatever ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from antidrift_cli.client import open_client
from antidrift_cli.errors import Failed, NoDaemon

PAUSE_SECS: Final = 0.1

_TRIES: Final = 200
_ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_END_SECS: Final = 10


@contextmanager
def open_private_daemon(replay: Path) -> Iterator[Mapping[str, str]]:
    """Start a daemon that sees the windows in `replay`; yield the environment to reach it with.

    Raises:
        Failed: it didn't come up; the message has the last that it said.
    """
    with _ended_by_signals(), TemporaryDirectory(prefix="antidrift-demo-") as name:
        directory = Path(name)
        environ = _environment(directory)
        with (directory / "log").open("wb") as log:
            daemon = subprocess.Popen(
                _command(directory, replay),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environ,
                start_new_session=True,  # Ctrl-C is ours to handle, in the right order
            )
        try:
            _wait_until_it_answers(daemon, environ, directory / "log")
            yield environ
        finally:
            _end(daemon)


def _command(directory: Path, replay: Path) -> list[str]:
    config = directory / "config.toml"
    config.write_text("[knowledge]\nenabled = false\n")  # the person's own profile is not ours
    command = [sys.executable, "-P", "-m", "antidriftd"]
    command += ["--socket", str(directory / "demo.sock")]
    command += ["--state-dir", str(directory / "state")]
    command += ["--config", str(config)]
    return [*command, "--sensor", f"replay:{replay}", "--ai", "local"]


def _environment(directory: Path) -> dict[str, str]:
    """Return our environment without what is meant for the daemon that the person really uses."""
    foreign = ("ANTIDRIFT_", "NOTIFY_", "LISTEN_", "WATCHDOG_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {**environ, "ANTIDRIFT_SOCKET": str(directory / "demo.sock")}


def _wait_until_it_answers(
    daemon: subprocess.Popen[bytes], environ: Mapping[str, str], log: Path
) -> None:
    why = NoDaemon("it was not tried")
    for _ in range(_TRIES):
        try:
            with open_client(environ):
                return
        except NoDaemon as error:
            why = error
        if daemon.poll() is not None:
            said = log.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
            raise Failed(f"the demo's own daemon stopped at once: {said[-1]}")
        time.sleep(PAUSE_SECS)
    raise Failed(f"the demo's own daemon does not come up: {why}")


def _end(daemon: subprocess.Popen[bytes]) -> None:
    """End the daemon and all that it started; a second signal can't stop that."""
    for each in _ENDING_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    daemon.terminate()
    try:
        daemon.wait(_END_SECS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(daemon.pid, signal.SIGKILL)
        daemon.wait()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind the stack, as Ctrl-C does."""

    def leave(number: int, _: object) -> None:
        sys.exit(128 + number)

    before = {each: signal.getsignal(each) for each in _ENDING_SIGNALS}
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
