"""This checkout: where it is, and which files belong to it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("protocol", "antidriftd", "antidrift_cli")


def kept_files() -> set[str]:
    """Return the files that git has, or would take, relative to `ROOT`."""
    # A checkout that belongs to another user is fine to read: safe.directory.
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-coz", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {name for name in listing.split("\0") if (ROOT / name).is_file()}
