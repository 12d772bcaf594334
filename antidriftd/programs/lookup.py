"""Finds the program that a command names, and refuses one that somebody else could replace."""

import os
import shlex
import stat
from pathlib import Path

from antidriftd.programs.errors import ProgramError


def split_command(command: str) -> list[str]:
    """Return the words of `command`, split as a shell splits words.

    Raises:
        ValueError: it is empty or a quotation is not closed; the message is one line.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"cannot split the command into words: {error}") from error
    if not words:
        raise ValueError("the command is empty")
    return words


def find_program(name: str, path: str) -> str:
    """Return the absolute path of program `name`: itself, or what `path` (a PATH) leads to.

    Neither the working directory nor a relative entry of `path` is ever searched.

    Raises:
        ProgramError: there is none to be run; the message names the program and the PATH searched.
    """
    if "/" in name:
        why = _why_not(Path(name)) if name.startswith("/") else "give its absolute path"
        if why:
            raise ProgramError(f"cannot run {name}: {why}")
        return name
    refused = []
    for entry in path.split(os.pathsep):
        candidate = Path(entry, name)
        if entry.startswith("/") and candidate.is_file():
            why = _open_to_all(candidate.parent) or _why_not(candidate)
            if not why:
                return str(candidate)
            refused.append(f"; {candidate} was not taken: {why}")
    raise ProgramError(f"cannot find {name} in PATH={path}{''.join(refused)}")


def _open_to_all(directory: Path) -> str:
    """Say why a directory is not searched: in one like /tmp anybody can plant a program."""
    return f"anybody can write to {directory}" if directory.stat().st_mode & stat.S_IWOTH else ""


def _why_not(program: Path) -> str:
    """Say why `program` is not run; empty if nothing speaks against it."""
    try:
        real = program.resolve(strict=True)
        if not real.is_file():
            return "it is not a file"
        if not os.access(real, os.X_OK):
            return "it is not executable"
        return next((f"others can write to {p}" for p in [real, *real.parents] if _exposed(p)), "")
    except OSError as error:
        return error.strerror or str(error)


def _exposed(path: Path) -> bool:
    """Whether somebody but root and us can replace `path` or what it holds.

    A directory's group is let pass: whom to trust with a shared one (Debian's /usr/local/bin is
    writable for group staff) is for the administrator to say.
    """
    info = path.stat()
    if info.st_uid not in {0, os.geteuid()}:
        return True
    if path.is_dir():
        return bool(info.st_mode & stat.S_IWOTH) and not info.st_mode & stat.S_ISVTX
    shared_group = info.st_gid not in {0, os.getegid()}
    return bool(info.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if shared_group else 0)))
