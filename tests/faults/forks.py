"""Daemons forked from a process that has loaded everything, so that hundreds of starts are cheap.

What runs is `antidriftd.__main__.main` in a process of its own, as when it is started by name.
"""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import trio

from tests.daemons import Daemon, Home, make_home

_PROGRAM = """
import gc, json, os, signal, sqlite3, sys
from antidriftd import bootstrap
from antidriftd.__main__ import main
{patch}

gc.collect()
gc.freeze()  # what is never looked at is never copied

def become_daemon(request):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.environ.clear()
    os.environ.update(request["environ"])
    sys.argv = ["antidriftd", *request["arguments"]]
    if request["is_stopped"]:
        os.kill(os.getpid(), signal.SIGSTOP)
    main()

for line in sys.stdin:
    request = json.loads(line)
    if "ended" in request:
        answer = os.waitstatus_to_exitcode(os.waitpid(request["ended"], 0)[1])
    else:
        answer = os.fork()
        if not answer:
            become_daemon(request)
        os.setpgid(answer, answer)
        if request["is_stopped"]:
            os.waitpid(answer, os.WUNTRACED)
    print(answer, flush=True)
"""


class Forked:
    """A forked process, with as much of a `trio.Process` as a test needs."""

    def __init__(self, pid: int, forks: "Forks") -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._forks = forks
        self._descriptor = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None and select.select([self._descriptor], [], [], 0)[0]:
            self.returncode = self._forks.code_of(self.pid)
            os.close(self._descriptor)
        return self.returncode

    async def wait(self) -> int:
        """Return the exit code, once it has ended."""
        while (code := self.poll()) is None:
            await trio.lowlevel.wait_readable(self._descriptor)
        return code

    def send_signal(self, number: signal.Signals | int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


@dataclass(frozen=True, slots=True)
class Forks:
    """The process that forks others."""

    requests: IO[str]
    answers: IO[str]
    pid: int

    def fork(
        self,
        home: Home,
        log: Path,
        arguments: Sequence[str] = (),
        *,
        is_stopped: bool = False,
    ) -> Forked:
        """Return a new daemon; one that `is_stopped` waits for SIGCONT before it does anything."""
        request = {
            "arguments": list(arguments),
            "environ": dict(home.environ),
            "log": str(log),
            "is_stopped": is_stopped,
        }
        return Forked(self._ask(request), self)

    def code_of(self, pid: int) -> int:
        """Return the exit code of one that has ended."""
        return self._ask({"ended": pid})

    def _ask(self, request: Mapping[str, Any]) -> int:
        print(json.dumps(request), file=self.requests, flush=True)
        return int(self.answers.readline())


@contextmanager
def open_forks(patch: str = "", prefix: Sequence[str] = ()) -> Iterator[Forks]:
    """Load the daemon, and `patch` it when a broken one is wanted; yield what forks it.

    A `prefix` is a command that runs it, such as `unshare`.
    """
    command = [*prefix, sys.executable, "-c", _PROGRAM.format(patch=patch)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Forks(process.stdin, process.stdout, process.pid)
        finally:
            process.kill()


@dataclass(slots=True)
class ForkedDaemon(Daemon):
    """A daemon that is forked whenever it is launched."""

    forks: Forks = field(kw_only=True)

    async def launch(self) -> None:
        """Fork it and don't wait."""
        self.process = self.forks.fork(self.home, self.log_file, self.command)

    def launch_stopped(self) -> int:
        """Fork it so that it waits for SIGCONT before it does anything; return its pid."""
        self.process = self.forks.fork(self.home, self.log_file, self.command, is_stopped=True)
        return self.process.pid


@asynccontextmanager
async def open_forked(
    forks: Forks,
    directory: Path,
    *,
    sensor: str = "none",
    ai: str = "none",
    env: Mapping[str, str] | None = None,
    config: str = "",
    arguments: Sequence[str] = (),
    started: bool = True,
) -> AsyncIterator[ForkedDaemon]:
    """Fork a daemon at home in `directory` (see `make_home`); at the end it is gone."""
    home = make_home(directory, sensor=sensor, ai=ai, env=env, config=config)
    daemon = ForkedDaemon(home, arguments, directory / "antidriftd.log", forks=forks)
    try:
        if started:
            await daemon.start()
        yield daemon
    finally:
        await daemon.leave_nothing()
