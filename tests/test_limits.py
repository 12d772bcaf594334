"""The page on limits has every number of the code, and the tests that it names exist."""

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "limits.md"

UNITS = {"KiB": 1024, "MiB": 1 << 20, "s": 1, "h": 3600, "d": 86_400, "characters": 1, "bytes": 1}

IS_LIMIT = re.compile(r"MAX|SECS|BYTES|CHARS|LIMIT|BACKLOG|CLASSES|NOTICES")
NO_LIMITS = re.compile(
    r"ROUNDING|JITTER|_DAY_|_HOUR_|CHUNK|READ_BYTES|RECV_BYTES|HASH|KEY_BYTES|STEP"
)
"""Units, what one read takes, how numbers are compared, and the sizes of hashes."""
PACES = {
    "antidriftd.adapters.advisor.local.coach:_TIMEBOX_SECS",
    "antidriftd.adapters.advisor.local.vectors:MAX_FREQUENCY",
    "antidriftd.adapters.presence.desktop:_START_SECS",
    "antidriftd.adapters.store.history_schema:SLOT_SECS",
    "antidriftd.adapters.windows.limits:MAX_IDLE_SECS",
    "antidriftd.adapters.windows.x11_return:ABSENT_SECS",
    "antidriftd.checks:_SETTLE_SECS",
    "antidriftd.core.backoff:_MAX_DOUBLINGS",
    "antidriftd.core.commands:DEFAULT_TIMEBOX_SECS",
    "antidriftd.core.drift.budget:_BUDGET_WINDOW_SECS",
    "antidriftd.core.timekeeping:_WATCHED_SECS",
    "antidriftd.programs.process:_CLEAN_UP_SECS",
    "antidriftd.runtime.supervisor:_WELL_AFTER_SECS",
}
"""Numbers that nobody can go beyond: defaults, rhythms and sums of others."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the page."""

    limit: str
    value: str
    constant: str
    test: str


def rows() -> Iterator[Row]:
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("|") and ":" in cells[2] and "---" not in cells[2]:
            yield Row(*cells)


ROWS = list(rows())


def number(value: str) -> float:
    """Return `64 KiB` as bytes, `2 h` as seconds, `1,024` as it is."""
    figure, _, unit = value.partition(" ")
    return float(figure.replace(",", "")) * (UNITS[unit] if unit else 1)


def numbers_of_the_code() -> Iterator[str]:
    """Yield each constant of the daemon, and of what it shares, whose name says that it limits."""
    for package in ("antidriftd", "protocol"):
        for path in (ROOT / package).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for name in names(ast.parse(path.read_text())):
                value = getattr(importlib.import_module(module), name)
                is_number = isinstance(value, int | float) and not isinstance(value, bool)
                if is_number and IS_LIMIT.search(name) and not NO_LIMITS.search(name):
                    yield f"{module}:{name}"


def names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper():
                yield target.id


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.constant)
def test_the_page_has_the_number_of_the_code(row: Row) -> None:
    module, _, name = row.constant.partition(":")

    assert getattr(importlib.import_module(module), name) == pytest.approx(number(row.value))


def test_the_page_has_every_number() -> None:
    known = {row.constant for row in ROWS}
    found = set(numbers_of_the_code())

    assert sorted(found - known - PACES) == []
    assert sorted(PACES - found) == []


def test_a_number_that_is_missing_would_be_noticed() -> None:
    tree = ast.parse("A_SECS = 1\nB_BYTES: Final = 2\ndef f():\n    C_SECS = 3\n")

    assert list(names(tree)) == ["A_SECS", "B_BYTES"]


@pytest.mark.parametrize(
    "test", sorted({row.test for row in ROWS if row.test}), ids=lambda test: test
)
def test_the_test_that_the_page_names_exists(test: str) -> None:
    path, _, name = test.partition("::")

    assert f"def {name}(" in ROOT.joinpath("tests", path).read_text()
