"""What the segment adds between Enter and the next prompt, in shells on terminals of their own."""

import random
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.rows import Row, median, p99
from tests.cli.shells import READY, SHELLS, Home, Shell, a_status, open_shell

_ROUNDS = 200
_QUIET_SECS = 0.02

_STARSHIP_CONFIG = f"""
add_newline = false
[character]
format = "$symbol"
success_symbol = "{READY}"
error_symbol = "{READY}"
"""

_LIMITS = {"starship": 0.02, "`git status`": 0.1}
_GIT = {
    "bash": f"PS1='$(git status --porcelain >/dev/null){READY}'",
    "zsh": f"setopt prompt_subst; PROMPT='$(git status --porcelain >/dev/null){READY}'",
    "fish": f"function fish_prompt; git status --porcelain >/dev/null; printf '%s' '{READY}'; end",
}


def measure_enter(directory: Path) -> Iterator[Row]:
    """Yield a row a shell: what the segment adds, beside what another prompt does.

    That is starship where it is in PATH, else a prompt that asks `git status`; each in the same
    small repository.
    """
    peer = "starship" if shutil.which("starship") else "`git status`"
    for shell in SHELLS:
        added = _added_secs(shell, peer, directory / shell)
        yield Row(
            name=f"prompt: the segment from Enter to the next prompt in {shell}",
            unit="ms",
            median=1e3 * median(added["segment"]),
            p99=1e3 * p99(added["segment"]),
            against=f"what {peer} adds",
            reference=1e3 * median(added[peer]),
            at_most=_LIMITS[peer],
        )


def _added_secs(shell: str, peer: str, directory: Path) -> dict[str, list[float]]:
    """Return what each prompt takes beyond the plain one of the same round."""
    with ExitStack() as stack:
        shells = {
            name: stack.enter_context(_open(shell, name, directory / name.strip("`")))
            for name in ("plain", "segment", peer)
        }
        for each in shells.values():
            _press_enter(each)  # warm
        rounds = [_round(shells) for _ in range(_ROUNDS)]
    return {name: [secs[name] - secs["plain"] for secs in rounds] for name in shells}


def _round(shells: dict[str, Shell]) -> dict[str, float]:
    return {name: _press_enter(shells[name]) for name in random.sample(list(shells), len(shells))}


@contextmanager
def _open(shell: str, prompt: str, directory: Path) -> Iterator[Shell]:
    """Start a shell with one of the prompts, in a repository that is its home."""
    home = Home(directory)
    directory.mkdir(parents=True)
    home.write(a_status(drift="ontask", left_secs=3_600))
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=directory, check=True)
    config = directory / "starship.toml"
    config.write_text(_STARSHIP_CONFIG)
    loads = {"plain": "", "segment": "", "starship": _starship(shell)}
    with open_shell(
        shell,
        home,
        after=loads.get(prompt, _GIT[shell]),
        loads=int(prompt == "segment"),
        STARSHIP_CONFIG=str(config),
    ) as opened:
        yield opened


def _starship(shell: str) -> str:
    init = shlex.join(["starship", "init", shell])
    return f"{init} | source" if shell == "fish" else f'eval "$({init})"'


def _press_enter(shell: Shell) -> float:
    """Return how long it takes from Enter to the end of the next prompt, in seconds."""
    terminal = shell.terminal
    while not terminal.is_quiet(_QUIET_SECS):
        terminal.read()
    seen = len(terminal.seen)
    began = time.perf_counter()
    terminal.type(b"\r")
    while READY.encode() not in terminal.seen[seen:]:
        terminal.read()
    return time.perf_counter() - began
