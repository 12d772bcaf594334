"""A person's desk: an X display with openbox, a daemon that watches it, and the command line."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

from tests.daemons import Daemon, State, open_daemon
from tests.fakes.ai import write_program
from tests.waiting import wait_until
from tests.x11 import XClient, open_client, open_openbox, open_xvfb

_PATIENCE_SECS = 30.0

JUDGE = """
prompt = sys.stdin.read()
with open(sys.argv[1] + "/asked", "a") as asked:
    asked.write(json.dumps(prompt) + "\\n")
on_task = "manual" in prompt
print("Sure, here is my verdict:")
print(json.dumps({"on_task": on_task, "reason": "the manual helps" if on_task else "a side trip"}))
"""


@dataclass(slots=True)
class Desk:
    """What the test does as the person, and what the person sees."""

    directory: Path
    display: str
    daemon: Daemon
    windows: XClient
    stack: AsyncExitStack

    async def antidrift(self, *arguments: str) -> State:
        """Run a verb with `--json` and return what it prints; it must succeed."""
        done = await trio.run_process(
            [sys.executable, "-m", "antidrift_cli", *arguments, "--json"],
            env=self._environ(),
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        state: State = json.loads(done.stdout)
        return state

    async def wait_status(self, is_wanted: Callable[[State], bool]) -> State:
        """Run `antidrift status --json` until it shows what is wanted."""
        state: State = {}
        with trio.move_on_after(_PATIENCE_SECS):
            while True:
                state = await self.antidrift("status")
                if is_wanted(state):
                    return state
                await trio.sleep(0.05)
        raise AssertionError(f"it never came; last seen: {state}")

    async def open_terminal(self) -> None:
        """Open an xterm with a shell in it, in front of the other windows."""
        variables = (f"{name}={value}" for name, value in self._environ().items())
        shell = ("env", "-i", *variables, "bash", "--norc", "--noprofile", "-i")
        await self.stack.enter_async_context(
            open_client(self.display, "xterm", "-T", "shell", "-e", *shell)
        )
        await self.wait_status(lambda state: state.get("window", {}).get("class") == "XTerm")

    async def type_line(self, line: str) -> None:
        """Type `line` and Return on the keyboard: it goes to whatever has the focus."""
        await trio.run_process(
            ["xdotool", "type", "--delay", "20", line + "\n"], env=self._environ()
        )

    def show(self, window_class: str, title: str) -> int:
        """Open a window of another program, which comes to the front."""
        return self.windows.make_window(window_class, title, mapped=True)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[list[State]]:
        """Collect what a real `antidrift watch --json` prints."""
        seen: list[State] = []
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "antidrift_cli", "watch", "--json"],
            env=self._environ(),
            stdout=subprocess.PIPE,
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_collect, process, seen)
            await wait_until(lambda: bool(seen))
            yield seen
            process.kill()
            await process.wait()

    def asked(self) -> list[str]:
        """Return the prompts that the judge was given."""
        file = self.directory / "asked"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def _environ(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{self.daemon.home.environ['PATH']}"
        return {**self.daemon.home.environ, "DISPLAY": self.display, "PATH": path}


async def _collect(process: trio.Process, seen: list[State]) -> None:
    assert process.stdout is not None
    rest = b""
    async for data in process.stdout:
        *lines, rest = (rest + data).split(b"\n")
        seen.extend(map(json.loads, lines))


@asynccontextmanager
async def open_desk(directory: Path, **options: Any) -> AsyncIterator[Desk]:
    """Set up a desk whose daemon asks a small program for its verdicts."""
    judge = write_program(directory, JUDGE, "judge")
    async with AsyncExitStack() as stack:
        display = await stack.enter_async_context(open_xvfb())
        await stack.enter_async_context(open_openbox(display))
        environ = {"DISPLAY": display, "ANTIDRIFT_AI_CMD": f"{judge} {directory}"}
        daemon = await stack.enter_async_context(
            open_daemon(directory, sensor="x11", ai="command", env=environ, **options)
        )
        windows = stack.enter_context(XClient(display))
        yield Desk(directory, display, daemon, windows, stack)
