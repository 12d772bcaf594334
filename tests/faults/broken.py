"""Daemons that are broken on purpose: what a checker must catch."""

import sys
from collections.abc import Sequence


def broken_program(patch: str) -> Sequence[str]:
    """Return the command of a daemon in which `patch`, Python statements, runs first."""
    start = "from antidriftd.__main__ import main\nsys.argv[0] = 'antidriftd'\nmain()"
    return sys.executable, "-c", f"import sys\n{patch}\n{start}"
