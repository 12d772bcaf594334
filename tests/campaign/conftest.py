"""The real AI programs, from npm, and a home that holds nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli")


@pytest.fixture(scope="session", name="programs")
def installed_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs, newly installed from npm; needs Node.js 20 or newer."""
    folder = tmp_path_factory.mktemp("npm")
    npm = shutil.which("npm")
    assert npm, "npm is missing: sudo apt install npm"
    options = ("--no-audit", "--no-fund", "--loglevel", "error")
    subprocess.run([npm, "install", "--prefix", str(folder), *options, *PACKAGES], check=True)
    return folder / "node_modules" / ".bin"


@pytest.fixture(name="environ")
def empty_home(programs: Path, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has just installed the programs."""
    home = tmp_path / "home"
    home.mkdir()
    return {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8"}
