"""Makes the pictures in docs/images again: `python -m tests.screenshots`.

Each is a real xterm on a display of its own, with a real `antidrift watch` that a scripted daemon
tells of a session, so that the pictures show the same each time. It needs the font DejaVu Sans Mono
(fonts-dejavu-core) besides what the tests need.
"""

import os
import tempfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace

from protocol import views
from tests.checkout import ROOT
from tests.cli.fake_daemon import command, open_fake_daemon
from tests.cli.live.moments import with_time_left
from tests.cli.samples import NOON, PLANNING, SENSOR, TASKS
from tests.png import picture_of
from tests.waiting import wait_until
from tests.x11 import open_client, open_x_server

IMAGES: Final = ROOT / "docs" / "images"

_WATCH_SIZE: Final = (84, 18)
_DEMO_SIZE: Final = (92, 51)
"""Columns and lines."""

_LAST_OF_DEMO: Final = "cleared:"
"""The line after which the demo has shown what matters, and still fits its terminal."""

_LOOK: Final = (
    *("-fa", "DejaVu Sans Mono", "-fs", "11", "-b", "8", "-bw", "0", "+sb", "-uc"),
    *("-bg", "#1f2124", "-fg", "#d8dade"),
)
_DRAWN_SECS: Final = 2.0
"""How long a terminal gets to draw; nothing tells from outside that it has."""

_PLAN: Final = "write the quarterly report"
_DONE: Final = "the draft is with Ann"
_CLASSES: Final = ("libreoffice-writer", "evince")
_WRITER: Final = views.Window(
    window_class="libreoffice-writer", title="report.odt — LibreOffice Writer", since=NOON
)
_PAGE: Final = "Funny cats, part 12 - YouTube — Mozilla Firefox"
_CATS: Final = views.Subject(window_class="firefox", title=_PAGE)
_WHY: Final = "YouTube, and no word in common with the plan"


def _planning() -> views.State:
    proposal = views.Proposal(
        next_action=_PLAN,
        success_condition=_DONE,
        timebox_secs=2700,
        allowed_window_classes=_CLASSES,
    )
    return replace(
        PLANNING,
        intent="get the report out of the way",
        window=_WRITER,
        coach=views.Coach(status="ready", proposal=proposal),
        knowledge=views.Knowledge(status="ready", path="/home/ann/.antidrift/knowledge.md"),
        tasks=views.Tasks(status="ready", items=TASKS),
    )


def _active(*rows: tuple[str, views.EvidenceStatus, int]) -> views.State:
    sums = {
        status: sum(secs for _, held, secs in rows if held == status)
        for status in ("ontask", "drift", "unjudged")
    }
    return views.State(
        revision=3,
        durable=True,
        runtime="active",
        intent=_PLAN,
        commitment=views.Commitment(
            next_action=_PLAN,
            success_condition=_DONE,
            timebox_secs=2700,
            started_at=NOON,
            ends_at=NOON + timedelta(minutes=45),
            allowed_window_classes=_CLASSES,
            allowed_window_titles=(),
        ),
        window=_WRITER,
        drift=views.Drift(status="ontask", since=NOON),
        evidence=views.Evidence(
            as_of=NOON,
            ontask_secs=sums["ontask"],
            drift_secs=sums["drift"],
            unjudged_secs=sums["unjudged"],
            away_secs=0,
            switches=len(rows) * 3,
            drift_episodes=1 if sums["drift"] else 0,
            by_class=tuple(
                views.ClassEvidence(window_class=name, status=status, secs=secs)
                for name, status, secs in sorted(rows, key=lambda row: -row[2])
            ),
        ),
        sensor=SENSOR,
    )


_EARLY: Final = (
    ("libreoffice-writer", "ontask", 610),
    ("evince", "ontask", 215),
    ("XTerm", "unjudged", 44),
)
_LATER: Final = (*_EARLY, ("firefox", "drift", 95))
_LATE: Final = (
    ("libreoffice-writer", "ontask", 1770),
    ("evince", "ontask", 655),
    ("XTerm", "unjudged", 118),
    ("firefox", "drift", 285),
)


def _drifting() -> views.State:
    opened = views.OpenDrift(subject=_CATS, reason=_WHY, since=NOON)
    return replace(
        _active(*_LATER),
        window=views.Window(window_class="firefox", title=_PAGE, since=NOON),
        drift=views.Drift(
            status="drifting", reason=_WHY, subject=_CATS, since=NOON, open_drift=opened
        ),
    )


def _nudged() -> views.State:
    nudge = views.Nudge(text="Ten good minutes so far; the summary comes next.", at=NOON)
    return replace(_active(*_EARLY), nudge=nudge)


def _phases() -> Mapping[str, views.State]:
    return {
        "idle": views.State(
            revision=1, durable=True, runtime="idle", sensor=SENSOR, window=_WRITER
        ),
        "planning": _planning(),
        "active": with_time_left(_nudged(), 2700 - 869),
        "drifting": with_time_left(_drifting(), 2700 - 964),
        "overtime": with_time_left(_active(*_LATE), -128),
        "review": replace(_active(*_LATE), runtime="review", drift=None),
    }


async def _photograph(
    display: str, picture: Path, size: tuple[int, int], line: Sequence[str], log: Path | None = None
) -> None:
    """Run a command in an xterm; take its picture once it has drawn, or written all to `log`."""
    geometry = f"{size[0]}x{size[1]}+0+0"
    async with open_client(display, "xterm", *_LOOK, "-geometry", geometry, "-e", *line):
        if log:
            await wait_until(lambda: log.exists() and _LAST_OF_DEMO in log.read_text())
        await trio.sleep(_DRAWN_SECS)
        found = await trio.run_process(
            ["xdotool", "search", "--class", "xterm", "getwindowgeometry", "--shell"],
            env={**os.environ, "DISPLAY": display},
            capture_stdout=True,
        )
        place = dict(each.split("=") for each in found.stdout.decode().split())
        width, height = int(place["WIDTH"]), int(place["HEIGHT"])
        await trio.Path(picture).write_bytes(picture_of(display, width, height))


async def _watch_each_phase(display: str, directory: Path) -> None:
    with open_fake_daemon(directory) as daemon:
        for name, state in _phases().items():
            daemon.state = state
            line = ["env", *_variables(daemon.environ), *command("watch")]
            await _photograph(display, IMAGES / f"{name}.png", _WATCH_SIZE, line)


async def _demo(display: str, directory: Path) -> None:
    log = directory / "log"
    line = ["bash", "-c", '"$@" | tee "$0"', str(log), *command("demo")]
    await _photograph(display, IMAGES / "demo.png", _DEMO_SIZE, line, log)


async def _make() -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        async with open_x_server("", "-screen", "0", "1280x1024x24") as server:
            await _watch_each_phase(server.name, directory)
            await _demo(server.name, directory)


def _variables(environ: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in environ.items()]


if __name__ == "__main__":
    trio.run(_make)
