"""A real daemon that sees every hostile title, and what it tells of them while shells prompt."""

import json
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from tests.cli.shells import Home, open_shell
from tests.daemons import Daemon, State, open_daemon
from tests.fakes.notification_server import FakeNotificationServer, open_server
from tests.hostile_titles import CANARY, TITLES, hidden_in
from tests.session_bus import open_bus
from tests.waiting import wait_until

_LAST: Final = f"the last: $(touch {CANARY}) `touch {CANARY}` %F{{red}} \x1b[31m\u202e <b>"
_EVERY_SECS: Final = 0.05
_KEPT_CHARS: Final = 1024
"""What the sensor keeps of a title."""

_SHELLS: Final = {
    "bash": ("bash", ""),
    "zsh": ("zsh", ""),
    "zsh that expands its prompt": ("zsh", "setopt prompt_subst prompt_bang"),
    "fish": ("fish", ""),
}
_SEGMENT: Final = r"(?:(?:focus|on task|drifting!|drifted) \d+m )?"


@dataclass(frozen=True, slots=True)
class Desk:
    """A session under way, and who is told of it."""

    directory: Path
    daemon: Daemon
    server: FakeNotificationServer

    async def wait_for_last(self) -> State:
        """Return the state once the last title counts as drift."""
        return await self.daemon.wait_state(
            lambda state: state["drift"].get("open", {}).get("subject", {}).get("title") == _LAST
        )

    def hooked(self) -> list[str]:
        """Return the titles that hooks were told of on standard input."""
        file = self.directory / "events"
        lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
        return [json.loads(line)["drift"]["open"]["subject"]["title"] for line in lines]


@asynccontextmanager
async def open_hostile_desk(directory: Path) -> AsyncIterator[Desk]:
    """Start a session, whose judge takes all for drift, in front of every title in turn."""
    replay = directory / "replay.jsonl"
    with replay.open("w") as file:
        for number, title in enumerate((*TITLES, _LAST)):
            at = 1 + number * _EVERY_SECS
            file.write(json.dumps({"at": at, "class": "firefox", "title": title}) + "\n")
    judge = _program(
        directory / "judge", """cat >/dev/null; echo '{"on_task": false, "reason": "no"}'"""
    )
    hook = _program(directory / "hook", f"cat >>'{directory}/events'")
    config = f"""
        [ai]
        judgments_per_hour = 3600
        [drift]
        dwell_secs = 0
        debounce_secs = 0
        [notify]
        max_per_hour = 60
        [hooks]
        on_drift = ["{hook}"]
    """
    async with open_bus() as bus, open_server(bus.address) as server:
        env = {"ANTIDRIFT_AI_CMD": str(judge), "DBUS_SESSION_BUS_ADDRESS": bus.address}
        async with open_daemon(
            directory,
            sensor=f"replay:{replay}",
            ai="command",
            env=env,
            config=config,
            arguments=["--log-level", "debug"],
        ) as daemon:
            await daemon.request("start", next_action="write", timebox_secs=3000)
            yield Desk(directory, daemon, server)


def _program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return path


def _prompt_until(done: threading.Event, directory: Path, name: str) -> list[str]:
    """Return the prompts that a shell shows until it is `done`, and one more."""
    shell_name, settings = _SHELLS[name]
    home = directory / name
    home.mkdir()
    run = str(directory / "run")
    shown = []
    with open_shell(shell_name, Home(home), before=settings, XDG_RUNTIME_DIR=run) as shell:
        while not done.is_set():
            shown.append(shell.prompt_after())
        shown.append(shell.prompt_after())
    assert not (home / CANARY).exists()
    return shown


async def test_a_daemon_that_sees_hostile_titles_tells_of_them_safely(tmp_path: Path) -> None:
    done = threading.Event()
    prompts: dict[str, list[str]] = {}

    async def prompt(name: str) -> None:
        prompts[name] = await trio.to_thread.run_sync(_prompt_until, done, tmp_path, name)

    async with open_hostile_desk(tmp_path) as desk, trio.open_nursery() as nursery:
        try:
            for name in _SHELLS:
                nursery.start_soon(prompt, name)
            state = await desk.wait_for_last()
        finally:
            done.set()
        assert state["window"]["title"] == _LAST
        await wait_until(lambda: len(prompts) == len(_SHELLS))
        _prompts_say_only_how_it_stands(prompts)
        await _hooks_get_titles_exactly(desk)
        await _bubbles_are_safe(desk)
        _the_log_is_clean_and_names_no_title(desk.daemon.log)
        await trio.to_thread.run_sync(_nothing_was_executed, tmp_path)


def _nothing_was_executed(directory: Path) -> None:
    assert list(directory.rglob(CANARY)) == []


def _prompts_say_only_how_it_stands(prompts: dict[str, list[str]]) -> None:
    for name, shown in prompts.items():
        assert [each for each in shown if not re.fullmatch(_SEGMENT, each)] == [], name
        assert shown[-1].startswith("drifting! "), name


async def _hooks_get_titles_exactly(desk: Desk) -> None:
    await wait_until(lambda: _LAST in desk.hooked())
    assert set(desk.hooked()) <= {title[:_KEPT_CHARS] for title in (*TITLES, _LAST)}
    assert len(desk.hooked()) > 10


async def _bubbles_are_safe(desk: Desk) -> None:
    await desk.server.wait_shown()
    for bubble in desk.server.shown:
        lines = [bubble.summary, *bubble.body.split("\n")]
        assert [fault for line in lines for fault in hidden_in(line)] == []
        assert not set('<>"') & set(bubble.body)


def _the_log_is_clean_and_names_no_title(log: str) -> None:
    assert "listening on" in log
    assert [fault for line in log.splitlines() for fault in hidden_in(line)] == []
    assert [title for title in TITLES if len(title) > 12 and title in log] == []
