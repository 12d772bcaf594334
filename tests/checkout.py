"""This checkout: where it is, and which files belong to it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("protocol", "antidriftd", "antidrift_cli")


def committed_files() -> set[str]:
    """Return the files that git has, relative to `ROOT`."""
    return _list_files("--cached")


def kept_files() -> set[str]:
    """Return the files that git has, or would take, relative to `ROOT`."""
    return _list_files("--cached", "--others", "--exclude-standard")


def _list_files(*which: str) -> set[str]:
    # A checkout that belongs to another user is fine to read: safe.directory.
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", *which],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {name for name in listing.split("\0") if (ROOT / name).is_file()}
