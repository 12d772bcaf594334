"""`make test` installs what the tests use, all of it and nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.checkout import ROOT


def listed() -> tuple[set[str], set[str]]:
    """Return the programs and the packages that the tests' list names."""
    lines = (ROOT / "tests" / "packages.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {row[0] for row in rows}, {row[1] for row in rows}


def test_every_program_that_is_installed_for_the_tests_is_used_by_one() -> None:
    programs, _ = listed()
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))

    assert {name for name in programs if not re.search(rf'"{name}[" ]', tests)} == set()


def test_where_nothing_can_be_installed_one_line_names_all_that_is_missing(tmp_path: Path) -> None:
    """Among it `kill`, which every shell has inside and a test can't start."""
    for tool in ("sh", "dirname", "id", "env"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)

    done = subprocess.run(
        ["sh", ROOT / "tests" / "packages.sh"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    (line,) = done.stderr.splitlines()
    missing, _, install = line.partition("; on Debian and Ubuntu: sudo apt install ")
    assert done.returncode == 1
    assert (set(missing.split()[3:]), set(install.split())) == listed()
