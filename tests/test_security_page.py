"""The page on security names, for each threat, a test that there is and that counts for it."""

import re

import pytest

from tests.checkout import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text()
ROW = re.compile(r"^\| (T\d+) \| .+ \| `(tests/[\w/]+\.py)::(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)


def test_every_threat_has_its_row() -> None:
    assert [threat for threat, _, _ in ROWS] == [f"T{number}" for number in range(1, 19)]


@pytest.mark.parametrize(("threat", "file", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_the_test_that_holds_a_promise_exists(threat: str, file: str, name: str) -> None:
    source = (ROOT / file).read_text()

    assert re.search(rf"^ *(?:async )?def {name}\(", source, re.MULTILINE)


@pytest.mark.parametrize("threat", [row[0] for row in ROWS])
def test_every_threat_is_counted_by_some_test(threat: str) -> None:
    told = re.compile(rf'fault\("{threat}", |Fault\("{threat}", ')

    assert any(told.search(path.read_text()) for path in (ROOT / "tests").rglob("test_*.py"))
