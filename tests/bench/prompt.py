"""What the segment adds to every prompt in each shell: its CPU time, its wait, its processes."""

import os
import random
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import which

import trio

from antidrift_cli.clock import now
from protocol.paths import prompt_path, socket_path
from protocol.prompt import PromptStatus, encode
from tests.bench.enter import measure_enter
from tests.bench.processes import Program, cpu_secs, module, run_whole, running
from tests.bench.rows import Row, median, p99

_ROUNDS = 60
_CALLS = 100
"""How many prompts each shell makes in a round."""

_FILES = 200

_PLAIN = "`python -c pass`"
_GIT = f"`git status` of {_FILES} files"

_LIMITS = {
    "bash": {_GIT: 0.1, _PLAIN: 0.015},
    "zsh": {_GIT: 0.1, _PLAIN: 0.015},
    "fish": {_GIT: 0.15, _PLAIN: 0.03},
}
"""Where Python starts in 10 ms, 0.01 of it is 0.1 ms."""

_QUIET = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}
_HOOKS = {
    "bash": "__antidrift_prompt",
    "zsh": "__antidrift_precmd",
    "fish": "fish_mode_prompt >/dev/null",
}
"""What each shell runs before a prompt."""

_LOOPS = {
    "bash": "while read -r _; do for ((i = 0; i < {calls}; i++)); do {hook}; done; echo; done",
    "zsh": "while read -r _; do for ((i = 0; i < {calls}; i++)); do {hook}; done; echo; done",
    "fish": "set turns (string split '' (string repeat -n {calls} x))\n"
    "while read -l _; for i in $turns; {hook}; end; echo; end",
}
"""Makes {calls} prompts for each line read, and answers with a line."""


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what a prompt costs in each shell, beside processes that other prompts start."""
    environ = _home(directory)
    _make_repository(directory / "repository")
    for row in await trio.to_thread.run_sync(lambda: [*_times(directory, environ)]):
        yield row
    for row in await trio.to_thread.run_sync(lambda: [*measure_enter(directory / "enter")]):
        yield row
    for shell in _HOOKS:
        yield _processes(shell, environ, directory)


def _home(directory: Path) -> dict[str, str]:
    """Return the environment of a person in a session, whose daemon this process plays."""
    environ = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(directory),
        "XDG_RUNTIME_DIR": str(directory),
    }
    file = Path(prompt_path(socket_path(environ)))
    file.parent.mkdir()
    status = PromptStatus(os.getpid(), "active", "ontask", "none", False, int(now()) + 3_600)
    file.write_bytes(encode(status))
    return environ


def _make_repository(folder: Path) -> None:
    folder.mkdir()
    for number in range(_FILES):
        (folder / f"{number}.txt").write_text(f"{number}\n")
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


def _times(directory: Path, environ: dict[str, str]) -> Iterator[Row]:
    commands = {
        _PLAIN: (sys.executable, "-c", "pass"),
        _GIT: (which("git") or "git", "-C", str(directory / "repository"), "status", "--porcelain"),
    }
    times: dict[str, list[float]] = {name: [] for name in (*_HOOKS, *commands)}
    with ExitStack() as stack:
        shells = {
            name: stack.enter_context(running(_command(name, directory, _HOOKS[name]), **environ))
            for name in _HOOKS
        }
        for program in shells.values():
            _turn(program)  # warm
        for _ in range(_ROUNDS):
            for name in random.sample(list(times), len(times)):
                secs = (
                    _turn(shells[name]) / _CALLS
                    if name in shells
                    else run_whole(commands[name], environ).cpu_secs
                )
                times[name].append(1e3 * secs)
    for shell in _HOOKS:
        for peer, limit in _LIMITS[shell].items():
            name = f"the segment in {shell}"
            yield _time(name, times[shell], peer, median(times[peer]), limit)


def _time(name: str, samples: list[float], against: str, reference: float, limit: float) -> Row:
    return Row(
        name=f"prompt: CPU of {name}",
        unit="ms",
        median=median(samples),
        p99=p99(samples),
        against=against,
        reference=reference,
        at_most=limit,
    )


def _command(shell: str, directory: Path, hook: str) -> list[str]:
    """Return the command that runs a shell with the segment loaded, which makes prompts."""
    loaded = directory / f"loaded.{shell}"
    printed = subprocess.run(module("antidrift_cli", "shell-init", shell), stdout=-1, check=True)
    loop = _LOOPS[shell].format(calls=_CALLS, hook=hook)
    loaded.write_text(f"{printed.stdout.decode()}\n{loop}\n")
    return [shell, *_QUIET[shell], str(loaded)]


def _turn(program: Program) -> float:
    """Return the CPU time that a shell takes to make its prompts, in seconds.

    Nothing waits in there, so on a machine with nothing else to do that is how long it takes.
    """
    began = cpu_secs(program.pid)
    os.write(program.stdin, b"\n")
    assert os.read(program.stdout, 1) == b"\n"
    return cpu_secs(program.pid) - began


def _processes(shell: str, environ: dict[str, str], directory: Path) -> Row:
    return Row(
        name=f"prompt: processes started for {_CALLS} prompts in {shell}",
        unit="",
        median=_started(_command(shell, directory, _HOOKS[shell]), environ, directory),
        against="a prompt that starts one",
        reference=_started(_command(shell, directory, "/bin/true"), environ, directory),
        at_most=0.0,
    )


def _started(command: list[str], environ: dict[str, str], directory: Path) -> int:
    """Count the processes that a shell starts for one round; a thread is none."""
    trace = directory / "trace"
    subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=process", "-o", str(trace), *command],
        input=b"\n",
        env=environ,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    calls = re.findall(r"^\d+ +(?:v?fork|clone3?)\(.*", trace.read_text(), re.M)
    return sum("CLONE_THREAD" not in call for call in calls)
