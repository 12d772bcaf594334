"""The text of the systemd user unit: the one that is shipped, with this machine's paths."""

import os
import stat
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from antidrift_cli.errors import Failed

NAME: Final = "antidriftd.service"
GRAPHICAL_TARGET: Final = "graphical-session.target"
DEFAULT_TARGET: Final = "default.target"

_SHIPPED: Final = Path(__file__).parents[1] / "data" / NAME
_PROGRAM: Final = "antidriftd"
_SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
_MARK: Final = "# By `antidrift service install`; to change it: systemctl --user edit antidriftd"
_CHECKSUM: Final = "# sha256 of what follows: "
_UNFIT: Final = "\"'\\"
"""What systemd 252 allows in no program's path, however quoted (string_is_safe, string-util.c)."""
_OF_THE_CALLER: Final = ("#", "Environment=", "PartOf=", "After=", "WantedBy=")


def render(program: Path, search_path: str, target: str) -> str:
    """Return the unit that starts `program` with `target`, and has it find programs in a PATH.

    Raises:
        Failed: the path of the program can't be written in a unit.
    """
    if not str(program).isprintable() or set(_UNFIT) & set(str(program)):
        raise Failed(f"systemd can't be told to start {program}: install Antidrift elsewhere")
    _, section, rest = _SHIPPED.read_text("utf-8").partition("[Unit]\n")
    lines = (_filled(line, program, search_path, target) for line in rest.splitlines(keepends=True))
    body = section + "".join(lines)
    return f"{_MARK}\n{_CHECKSUM}{_checksum(body)}\n{body}"


def is_ours(text: str) -> bool:
    """Return whether `text` is a unit as some version of `render` wrote it, and not edited."""
    head, _, rest = text.partition("\n")
    checksum, _, body = rest.partition("\n")
    return head == _MARK and checksum == f"{_CHECKSUM}{_checksum(body)}"


def is_same_version(one: str, other: str) -> bool:
    """Return whether two units differ in nothing but what depends on who called `render`."""
    return _kept(one) == _kept(other)


def quoted(word: str) -> str:
    """Return `word` as one word of a unit file.

    Backslashes and quotes as in systemd.syntax(7), "Quoting"; `%` as in systemd.unit(5),
    "Specifiers". A `$` stands for itself both in `Environment=` and in the path of a program.
    """
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def find_daemon(started_as: Path, interpreter: Path) -> Path:
    """Return the path of antidriftd beside what runs now.

    Beside the command itself first: there pipx and uv keep links that outlast an update.

    Raises:
        Failed: there is none.
    """
    for neighbour in (started_as, interpreter):
        program = neighbour.absolute().with_name(_PROGRAM)
        if program.is_file() and os.access(program, os.X_OK):
            return program
    raise Failed(f"{_PROGRAM} is not installed beside {interpreter}: install Antidrift again")


def search_path(environ: Mapping[str, str]) -> str:
    """Return the PATH for the service: the caller's own, so that it finds the same programs.

    Left out is what means nothing there (relative, missing) or where anybody can plant a program.
    """
    entries = [*environ.get("PATH", "").split(os.pathsep), *_SYSTEM_PATH]
    return os.pathsep.join(dict.fromkeys(filter(_is_trusted, entries)))


def _is_trusted(entry: str) -> bool:
    if not entry.startswith("/") or not entry.isprintable():
        return False
    try:
        mode = Path(entry).stat().st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) and not mode & stat.S_IWOTH


def _filled(line: str, program: Path, search_path: str, target: str) -> str:
    match line.partition("=")[0]:
        case "ExecStart":
            path = quoted(f"PATH={search_path}")
            return f"ExecStart={quoted(str(program))}\nEnvironment={path}\n"
        case "WantedBy":
            return f"WantedBy={target}\n"
        case "PartOf" | "After" if target == DEFAULT_TARGET:
            return ""  # the end of some other desktop must not stop it
        case _:
            return line


def _kept(unit: str) -> list[str]:
    return [line for line in unit.splitlines() if not line.startswith(_OF_THE_CALLER)]


def _checksum(body: str) -> str:
    return sha256(body.encode()).hexdigest()
