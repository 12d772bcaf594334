"""The table at the end of a test run: which faults were caused, how often, and what went wrong."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

PROPERTY = "fault"
"""The name under which a test reports; it survives the way from a worker to the main process."""

MARKED = "marked fault"
"""The same, of a test that only bears the mark: how it went is seen when it has ended."""

Control = Literal["caught", "missed", "-"]


@dataclass(frozen=True, slots=True)
class Fault:
    """How one fault went; `control` says whether a variant that is broken on purpose was caught."""

    name: str
    what: str
    runs: int
    violations: int
    control: Control = "-"


Tell: TypeAlias = Callable[[Fault], None]
"""Puts a fault into the table."""


def control(*, is_caught: bool) -> Control:
    """Return how it is told whether a broken variant was caught."""
    return "caught" if is_caught else "missed"


def marked(name: str, what: str, *, runs: int = 1, is_control: bool = False) -> Fault:
    """Return what a test tells that bears the mark, as long as it doesn't fail."""
    if is_control:
        return Fault(name, what, 0, 0, control(is_caught=True))
    return Fault(name, what, runs, 0)


def judged(plain: Any, *, failed: bool) -> dict[str, Any]:
    """Return what a marked test tells, now that it is known whether it has failed."""
    fault = Fault(**plain)
    if not failed:
        return to_property(fault)
    missed: Control = "-" if fault.control == "-" else "missed"
    return to_property(replace(fault, violations=min(fault.runs, 1), control=missed))


def to_property(fault: Fault) -> dict[str, Any]:
    """Return the fault as plain data."""
    return asdict(fault)


def rows(properties: Iterable[dict[str, Any]]) -> list[str]:
    """Return the table, one row a fault, in the order of their names; empty without any."""
    merged: dict[str, Fault] = {}
    for plain in properties:
        fault = Fault(**plain)
        known = merged.get(fault.name)
        merged[fault.name] = fault if known is None else _sum(known, fault)
    if not merged:
        return []
    found = sorted(merged.values(), key=_order)
    widest = max(len(fault.what) for fault in found)
    head = f"{'fault':5}  {'what':{widest}}  {'runs':>7}  {'violations':>10}  control"
    return [
        head,
        *(
            f"{each.name:5}  {each.what:{widest}}  {each.runs:7}  {each.violations:10}  "
            f"{each.control}"
            for each in found
        ),
    ]


def _sum(known: Fault, fault: Fault) -> Fault:
    controls = {known.control, fault.control} - {"-"}
    worst: Control = "missed" if "missed" in controls else "caught" if controls else "-"
    return Fault(
        known.name,
        known.what,
        known.runs + fault.runs,
        known.violations + fault.violations,
        worst,
    )


def _order(fault: Fault) -> tuple[str, int, str]:
    letter, number = fault.name[:1], fault.name[1:]
    return letter, int(number) if number.isdigit() else 0, number
