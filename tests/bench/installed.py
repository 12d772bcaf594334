"""Antidrift as a user has it: a wheel, unpacked and compiled by an installer."""

import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.checkout import ROOT

_LIBRARIES = ("click", "msgspec")
"""What the verbs that are measured import of others."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A virtual environment with Antidrift in it, and nothing of the tests' own."""

    programs: Path

    @property
    def python(self) -> str:
        """The path of its interpreter."""
        return str(self.programs / "python")

    def antidrift(self, *arguments: str) -> tuple[str, ...]:
        """Return the command that a user types."""
        return (str(self.programs / "antidrift"), *arguments)


def install(directory: Path) -> Installation:
    """Build the wheel and install it in a new environment; no network is needed."""
    venv.create(directory / "venv", symlinks=True, with_pip=False)
    installation = Installation(directory / "venv" / "bin")
    _run("-m", "hatchling", "build", "-t", "wheel", "-d", str(directory / "wheel"))
    (wheel,) = (directory / "wheel").iterdir()
    (packages,) = (directory / "venv").glob("lib/python*/site-packages")
    for name in _LIBRARIES:
        found = find_spec(name)
        assert found
        assert found.origin
        shutil.copytree(Path(found.origin).parent, packages / name)
    _run("-m", "compileall", "-q", str(packages))
    pip = ["--python", installation.python, "--quiet", "--disable-pip-version-check"]
    _run("-m", "pip", *pip, "install", "--no-index", "--no-deps", str(wheel))
    return installation


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)
