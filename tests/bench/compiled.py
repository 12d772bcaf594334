"""Programs in C, for where Python would be what is measured."""

import shutil
import subprocess
import sys
from pathlib import Path

_SOURCES = Path(__file__).with_name("peers")


def compiled(name: str, directory: Path, *flags: str) -> Path | None:
    """Return the program of peers/`name`.c, made in `directory`; None, said so, without `cc`."""
    compiler = shutil.which("cc")
    if compiler is None:
        print(f"no C compiler (cc) is installed: no rows that need {name}", file=sys.stderr)
        return None
    program = directory / name
    command = [compiler, "-O2", "-Wall", *flags, "-o", str(program), str(_SOURCES / f"{name}.c")]
    subprocess.run(command, check=True)
    return program
