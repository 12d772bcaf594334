"""What a daemon holds while nothing happens: only modules that it needs, all of it set aside."""

import json
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.daemons import open_daemon
from tests.x11 import XClient, open_xvfb

_TELLS = """
import gc, json, os, signal, sys

def tell(*_):
    told = {
        "modules": list(sys.modules),
        "frozen": gc.get_freeze_count(),
        "collectable": len(gc.get_objects()),
    }
    print("TOLD", json.dumps(told), "END", file=sys.stderr)

signal.signal(signal.SIGUSR1, tell)
"""
"""A program that tells what it holds, on standard error and a signal."""

_DAEMON = (sys.executable, "-c", f"{_TELLS}\nfrom antidriftd.__main__ import main\nmain()")

_NEEDLESS = {
    # what the client, the sensor's program and other frameworks are made of
    *("antidrift_cli", "click", "rich", "Xlib", "asyncio", "concurrent", "multiprocessing"),
    "antidriftd.adapters.windows.x11",
    # what isn't set, or isn't asked for yet
    *("argparse", "csv", "difflib", "email", "http", "importlib.metadata", "sqlite3"),
    "antidriftd.adapters.advisor.local.coach",
    "antidriftd.adapters.advisor.local.judge",
    "antidriftd.adapters.advisor.local.knowledge",
    "antidriftd.adapters.advisor.programs",
    "antidriftd.adapters.custody.command",
    "antidriftd.adapters.custody.directory",
    "antidriftd.adapters.custody.git",
    "antidriftd.adapters.store.history_file",
    "antidriftd.adapters.tasks.sources",
    "antidriftd.evaluation",
}


async def what_it_holds(directory: Path, *, judged: bool) -> dict[str, Any]:
    """Return what a daemon tells of itself in a session; its window is allowed, or `judged`."""
    async with (
        open_xvfb() as display,
        open_daemon(
            directory, sensor="x11", ai="local", env={"DISPLAY": display}, program=_DAEMON
        ) as daemon,
    ):
        with XClient(display) as client:
            client.set_active(client.make_window("Firefox", "Funny cats compilation - YouTube"))
            await daemon.wait_state(lambda state: "window" in state)
            await daemon.request(
                "start",
                next_action="Fix the crash of the importer",
                allowed_window_classes=[] if judged else ["Firefox"],
            )
            wanted = "drifting" if judged else "ontask"
            await daemon.wait_state(lambda state: bool(state["drift"]["status"] == wanted))
        assert daemon.process
        daemon.process.send_signal(signal.SIGUSR1)
        await daemon.wait_log(" END\n")
        told = daemon.log.partition("TOLD ")[2].partition(" END\n")[0]
    found: dict[str, Any] = json.loads(told)
    return found


async def test_a_daemon_that_has_nothing_to_judge_holds_no_module_for_it(tmp_path: Path) -> None:
    holds = await what_it_holds(tmp_path, judged=False)

    assert _NEEDLESS & set(holds["modules"]) == set()


def test_every_module_that_is_needless_exists() -> None:
    """A control: else one that has another name by now would never be found."""
    assert [name for name in _NEEDLESS if find_spec(name) is None] == []


async def test_what_a_daemon_comes_to_need_is_found(tmp_path: Path) -> None:
    """A control."""
    holds = await what_it_holds(tmp_path, judged=True)

    assert {name for name in _NEEDLESS if ".local." in name} & set(holds["modules"]) == {
        "antidriftd.adapters.advisor.local.judge",
        "antidriftd.adapters.advisor.local.knowledge",
    }


async def test_what_a_daemon_holds_from_the_start_is_never_collected_again(tmp_path: Path) -> None:
    holds = await what_it_holds(tmp_path, judged=False)

    assert holds["frozen"] > 10 * holds["collectable"]
