"""`make test` installs what the tests use, and nothing else."""

import re

from tests.checkout import ROOT


def test_every_program_that_is_installed_for_the_tests_is_used_by_one() -> None:
    lines = (ROOT / "tests" / "packages.txt").read_text().splitlines()
    programs = {line.split()[0] for line in lines if not line.startswith("#")}
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))

    assert {name for name in programs if not re.search(rf'"{name}[" ]', tests)} == set()
