"""A day of work at many times its speed: commands, windows, a flapping judge, lost displays."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import trio

from tests.clients import Gone, Refused
from tests.daemons import Daemon, open_daemon
from tests.fakes import ai
from tests.faults.findings import Findings
from tests.faults.meter import LIMIT_KIB, together_kib
from tests.processes import open_files
from tests.waiting import wait_until
from tests.x11 import XClient, kept_display, open_x_server

COMMANDS_PER_SEC = 10
TITLES_PER_SEC = 5
MAX_LOG_BYTES = 1 << 20

FLAPS = """
prompt = sys.stdin.read()
match sum(prompt.encode()) % 4:
    case 0:
        print('{"on_task": true, "reason": "it is"}')
    case 1:
        print('{"on_task": false, "reason": "it is not"}')
    case 2:
        os._exit(3)
    case _:
        print("nonsense")
"""
CONFIG = """
[ai]
judgments_per_hour = 3600
[drift]
dwell_secs = 0
debounce_secs = 1
"""


@dataclass(slots=True)
class Soak:
    """How long it takes in all, and how often the display goes."""

    secs: float
    display_secs: float
    growth_kib: float
    """What may be held more at the end than once all was warm."""

    async def run(self, directory: Path) -> Findings:
        """Return what went wrong in it."""
        found = Findings(runs=1)
        program = ai.write_program(directory, FLAPS)
        env = {"ANTIDRIFT_AI_CMD": program, "DISPLAY": kept_display()}
        async with open_daemon(
            directory, sensor="x11", ai="command", env=env, config=CONFIG
        ) as daemon:
            await daemon.request("start", next_action="write")
            samples: list[tuple[float, int, int]] = []
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_command, daemon)
                nursery.start_soon(self._change_titles)
                nursery.start_soon(_measure, daemon.pid, samples)
                await trio.sleep(self.secs)
                nursery.cancel_scope.cancel()
            state = await daemon.request("state")
            found.look("no session", is_right=state["runtime"] in {"active", "review"})
            self._look(samples, found)
            size = len(daemon.log.encode())
            found.look(f"{size} bytes of log", is_right=size <= MAX_LOG_BYTES)
            found.look("it fails", is_right=await daemon.terminate() == 0)
            found.look_at_log(daemon.log, max_lines=MAX_LOG_BYTES)
            await wait_until(lambda: not ai.processes_named(program))
        return found

    def _look(self, samples: list[tuple[float, int, int]], found: Findings) -> None:
        third = len(samples) // 3
        early, late = samples[third : 2 * third], samples[2 * third :]
        # Programs come and go: what counts is what there is of each when nothing is under way.
        grown = min(kib for _, kib, _ in late) - min(kib for _, kib, _ in early)
        found.look(f"{grown} KiB more", is_right=grown <= self.growth_kib)
        files = min(files for _, _, files in late) - min(files for _, _, files in early)
        found.look(f"{files} descriptors more", is_right=files <= 0)
        peak = max(kib for _, kib, _ in samples)
        found.look(f"{peak} KiB at most", is_right=peak <= LIMIT_KIB)

    async def _change_titles(self) -> None:
        name = kept_display()
        number = count()
        while True:
            async with open_x_server(name) as server:
                with XClient(name) as windows:
                    with trio.move_on_after(self.display_secs):
                        await _show_titles(windows, number)
                    await server.kill()
            await trio.sleep(1)


async def _show_titles(windows: XClient, number: Iterator[int]) -> None:
    window = windows.make_window("Editor", "first")
    windows.set_active(window)
    while True:
        windows.set_title(window, f"page {next(number)}".encode())
        await trio.sleep(1 / TITLES_PER_SEC)


async def _command(daemon: Daemon) -> None:
    commands: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("state", {}),
        ("extend", {"secs": 1}),
        ("ontask", {"window_title": "a page"}),
        ("disallow", {"window_title": "a page"}),
        ("refocus", {}),
        ("complete", {}),
        ("review", {"outcome": "done"}),
        ("start", {"next_action": "write"}),
        ("why", {}),
        ("info", {}),
    )
    due = trio.current_time()
    for number in count():
        name, params = commands[number % len(commands)]
        with suppress(Refused, Gone):
            await daemon.request(name, **params)
        due = max(due + 1 / COMMANDS_PER_SEC, trio.current_time() - 1)
        await trio.sleep_until(due)


async def _measure(pid: int, samples: list[tuple[float, int, int]]) -> None:
    while True:
        samples.append((trio.current_time(), together_kib(pid), open_files(pid)))
        await trio.sleep(0.25)
