"""Real daemons for tests: each in a directory of its own, and gone at the end whatever happens."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import trio

from protocol import paths
from tests import clients
from tests.clients import PATIENCE_SECS, Client, States, connect, open_client

State: TypeAlias = clients.State

PROGRAM = (sys.executable, "-m", "antidriftd")

_KEPT_VARIABLES = ("PATH", "LANG", "PYTHONPATH")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a daemon lives, and the environment that it and its clients get."""

    environ: Mapping[str, str]

    @property
    def socket(self) -> Path:
        """The socket, as the daemon and the client work it out."""
        return Path(paths.socket_path(self.environ))

    @property
    def state_dir(self) -> Path:
        """The directory of the snapshot."""
        return Path(paths.state_dir(self.environ))

    @property
    def snapshot(self) -> Path:
        """The snapshot."""
        return self.state_dir / "snapshot.json"

    @property
    def config(self) -> Path:
        """The config.toml."""
        return Path(paths.config_path(self.environ))


def make_home(
    directory: Path,
    *,
    sensor: str = "none",
    ai: str = "none",
    env: Mapping[str, str] | None = None,
    config: str = "",
) -> Home:
    """Make a home in `directory`; nothing of the environment outside reaches the daemon in it.

    An empty `sensor` or `ai` leaves the choice to `config`, which is the text of config.toml.
    `env` is added to the environment; an empty value takes a variable away.
    """
    for name in ("home", "run"):
        (directory / name).mkdir(mode=0o700, exist_ok=True)
    environ = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environ |= {
        "HOME": str(directory / "home"),
        "XDG_RUNTIME_DIR": str(directory / "run"),
        "ANTIDRIFT_SENSOR": sensor,
        "ANTIDRIFT_AI_BACKEND": ai,
        # No bus: the machine's own tells when whoever runs the tests locks the screen.
        "DBUS_SYSTEM_BUS_ADDRESS": "none:",
        **(env or {}),
    }
    home = Home({name: value for name, value in environ.items() if value})
    if config:
        home.config.parent.mkdir(parents=True, exist_ok=True)
        home.config.write_text(config)
    return home


class Process(Protocol):
    """What is asked of a daemon's process, however it was started."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, number: signal.Signals, /) -> None: ...


@dataclass(slots=True)
class Daemon:
    """A daemon that runs as a process."""

    home: Home
    command: Sequence[str]
    log_file: Path
    process: Process | None = field(default=None, init=False)

    # --- its life ---------------------------------------------------------------------------

    async def start(self) -> None:
        """Start it, and return once its socket accepts."""
        await self.launch()
        with trio.fail_after(PATIENCE_SECS):
            while not await self.accepts():
                if self._running().poll() is not None:
                    raise AssertionError(f"the daemon ended at once: {self.log}")
                await trio.sleep(0.01)

    async def launch(self) -> None:
        """Start it and don't wait."""
        with self.log_file.open("ab") as log:
            self.process = await trio.lowlevel.open_process(
                self.command,
                env=dict(self.home.environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def accepts(self) -> bool:
        """Return whether somebody listens at its socket."""
        try:
            await (await connect(self.home.socket)).aclose()
        except OSError:
            return False
        return True

    async def kill(self) -> None:
        """End it with SIGKILL, as a crash or a power cut would."""
        await self._end(signal.SIGKILL)

    async def terminate(self) -> int:
        """End it with SIGTERM; return its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        self._running().send_signal(number)
        return await self.wait()

    async def wait(self) -> int:
        """Return its exit code, once it has ended."""
        with trio.fail_after(PATIENCE_SECS):
            return await self._running().wait()

    async def restart(self) -> None:
        """End it with SIGTERM, unless it has ended already, and start it again."""
        if self._running().poll() is None:
            await self.terminate()
        await self.start()

    async def leave_nothing(self) -> None:
        """End it and whatever it left in its process group."""
        if self.process is None:
            return
        with trio.CancelScope(shield=True):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            await self.process.wait()

    def _running(self) -> Process:
        assert self.process is not None, "the daemon was never started"
        return self.process

    @property
    def pid(self) -> int:
        """The process id of the one that runs, or ran last."""
        return self._running().pid

    @property
    def log(self) -> str:
        """All that it has written, over every start."""
        return self.log_file.read_text(errors="replace")

    async def wait_log(self, text: str) -> None:
        """Return once `text` is in the log."""
        with trio.fail_after(PATIENCE_SECS):
            while True:
                if text in self.log:
                    return
                await trio.sleep(0.01)

    # --- talking to it ----------------------------------------------------------------------

    async def request(self, method: str, /, **params: Any) -> State:
        """Return the result of `method`, over a connection of its own.

        Raises:
            Refused: it was answered with an error.
            Gone: it was not answered.
        """
        async with self.connect() as client:
            return await client.request(method, **params)

    async def raw(self, data: bytes) -> bytes:
        """Send `data` and no more; return all that comes back."""
        async with self.connect() as client:
            with suppress(trio.BrokenResourceError):  # closed before all of it was sent
                await client.send(data)
                await client.end_sending()
            return await client.receive_rest()

    def connect(self) -> AbstractAsyncContextManager[Client]:
        """Return a connection, to be entered."""
        return open_client(self.home.socket)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[States]:
        """Watch it over a connection of its own."""
        async with self.connect() as client:
            yield States(client)

    async def wait_state(self, is_wanted: Callable[[State], bool]) -> State:
        """Return the first state that `is_wanted`."""
        with trio.fail_after(PATIENCE_SECS):
            async with self.watch() as states:
                async for state in states:
                    if is_wanted(state):
                        return state
        raise AssertionError("unreachable: the states go on for ever")


@asynccontextmanager
async def open_daemon(
    directory: Path,
    *,
    sensor: str = "none",
    ai: str = "none",
    env: Mapping[str, str] | None = None,
    config: str = "",
    arguments: Sequence[str] = (),
    program: Sequence[str] = PROGRAM,
    prefix: Sequence[str] = (),
    started: bool = True,
) -> AsyncIterator[Daemon]:
    """Start a daemon at home in `directory` (see `make_home`); at the end it is gone.

    `program` is another one to run in its place, and `prefix` a command that runs it, such as
    `prlimit`. One that isn't to be `started` yet is left to the test to start.
    """
    home = make_home(directory, sensor=sensor, ai=ai, env=env, config=config)
    daemon = Daemon(home, [*prefix, *program, *arguments], directory / "antidriftd.log")
    try:
        if started:
            await daemon.start()
        yield daemon
    finally:
        await daemon.leave_nothing()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a daemon ended that was not to go on."""

    code: int
    stdout: str
    stderr: str


async def run_daemon(
    home: Home,
    arguments: Sequence[str] = (),
    *,
    program: Sequence[str] = PROGRAM,
    prefix: Sequence[str] = (),
) -> Ended:
    """Run a daemon that ends by itself, because it may not start or was only asked something."""
    with trio.fail_after(PATIENCE_SECS):
        done = await trio.run_process(
            [*prefix, *program, *arguments],
            env=dict(home.environ),
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
