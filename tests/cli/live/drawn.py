"""Pictures of States to look at, as rows of text; more States with one thing that is special."""

from typing import Final

from msgspec.structs import replace

from antidrift_cli.live.drawing import View, draw
from antidrift_cli.live.look import Look
from protocol import views
from tests.cli.samples import (
    ACTIVE,
    NOON,
    OPEN,
)

AS_OF: Final = NOON.timestamp() + 600
END: Final = NOON.timestamp() + 1500

assert ACTIVE.commitment
STALE: Final = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))
EARLIER: Final = replace(ACTIVE, drift=views.Drift(status="ontask", open_drift=OPEN))
BLIND: Final = replace(
    ACTIVE,
    window=None,
    drift=views.Drift(status="idle"),
    sensor=views.Sensor(name="x11", status="unavailable", detail="the display is gone"),
)


def rows(
    state: views.State,
    *messages: str,
    at: float = AS_OF,
    size: tuple[int, int] = (80, 24),
    unicode: bool = True,
) -> list[str]:
    """Return the picture of `state` at a time and in a size, without the space at the ends."""
    columns, lines = size
    drawn = draw(View(state, at, messages), Look(columns, unicode), lines)
    return [row.plain.rstrip() for row in drawn]
