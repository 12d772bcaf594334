"""How learning stands, in counts and codes: what every client may see."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CustodyStatus:
    """What the state shows of learning; `bound` is False while there are no bindings."""

    bound: bool = False
    capture: Literal["off", "on", "blocked", "held"] = "off"
    code: str = ""
    pending: int = 0
    """Inputs that no run has taken on."""
    judging: int = 0
    proposed: int = 0
    held: int = 0
    """Runs that wait for something to be mended."""


@dataclass(frozen=True, slots=True)
class CustodyChanged:
    """The event that learning stands differently."""

    status: CustodyStatus
