"""Makes the task source that the settings name."""

from collections.abc import Callable, Iterable, Mapping
from os import defpath
from pathlib import Path
from typing import Literal, assert_never

from antidriftd.adapters.tasks.command import CommandTaskSource
from antidriftd.adapters.tasks.port import TaskSource
from antidriftd.adapters.tasks.taskwarrior import PASSED_VARIABLES, TaskwarriorTaskSource
from antidriftd.adapters.tasks.todotxt import TodotxtTaskSource
from antidriftd.programs.environment import program_environ
from antidriftd.programs.lookup import find_program, split_command

SourceName = Literal["none", "marvin", "taskwarrior", "todotxt", "command"]


def task_source(
    name: SourceName,
    *,
    command: str,
    file: str,
    environ: Mapping[str, str],
    pass_env: Iterable[str],
    utc: Callable[[], float],
) -> TaskSource | None:
    """Return the source called `name`, None for `none`; its program is looked up here, once.

    `command` is the command line of `marvin` (ANTIDRIFT_MARVIN_CMD) or of `command`
    (`tasks.command`), `file` that of `todotxt` (`tasks.file`). `environ` is the daemon's own: a
    program gets a part of it, and what `pass_env` names. `utc` is a clock, in seconds since 1970.

    Raises:
        ValueError: what the source needs is not set, or not usable; the message is one line.
        ProgramError: its program is missing, or is not safe to run.
    """
    match name:
        case "none":
            return None
        case "marvin":
            argv = _argv("ANTIDRIFT_MARVIN_CMD", command, environ)
            return CommandTaskSource(name, argv, environ=program_environ(environ, pass_env))
        case "command":
            argv = _argv("`tasks.command`", command, environ)
            return CommandTaskSource(name, argv, environ=program_environ(environ, pass_env))
        case "taskwarrior":
            program = find_program("task", environ.get("PATH", defpath))
            passed = program_environ(environ, [*PASSED_VARIABLES, *pass_env])
            home = {"HOME": str(_home(environ))}
            return TaskwarriorTaskSource(program, environ=passed | home)
        case "todotxt":
            return TodotxtTaskSource(_file(file, environ), utc=utc)
        case _:
            assert_never(name)


def _argv(what: str, command: str, environ: Mapping[str, str]) -> list[str]:
    if not command.strip():
        raise ValueError(f"{what} is not set: give it a command that prints today's tasks")
    try:
        name, *arguments = split_command(command)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from error
    return [find_program(name, environ.get("PATH", defpath)), *arguments]


def _file(file: str, environ: Mapping[str, str]) -> Path:
    if not file.strip():
        raise ValueError("`tasks.file` is not set: give it the path of your todo.txt")
    path = Path(file)
    if path.parts[:1] == ("~",):
        path = Path(_home(environ), *path.parts[1:])
    if not path.is_absolute():
        raise ValueError(f"`tasks.file` must be an absolute path, or begin with ~/, not {file}")
    return path


def _home(environ: Mapping[str, str]) -> Path:
    try:
        return Path(environ.get("HOME") or Path.home())
    except RuntimeError as error:
        raise ValueError("no home directory is known: set HOME to an absolute path") from error
