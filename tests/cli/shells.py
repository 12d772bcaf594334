"""Interactive shells in terminals of their own, with the segment in their prompts."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from antidrift_cli.clock import now
from protocol.paths import prompt_path, socket_path
from protocol.prompt import PromptStatus, encode
from tests.cli.fake_daemon import PATIENCE_SECS, command
from tests.cli.terminal import Terminal, open_in_terminal

SHELLS: Final = ("bash", "zsh", "fish")

READY: Final = "READY>"
"""What each test's own prompt ends with."""

RED: Final = "\x1b[31m"

_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|.)"
)

_PROMPTS: Final = {
    "bash": f"PS1='{READY}'",
    "zsh": f"unsetopt prompt_sp prompt_cr; PROMPT='{READY}'",
    "fish": f"set -g fish_greeting; function fish_prompt; printf '%s' '{READY}'; end",
}


def load_line(shell: str) -> str:
    """Return what a user puts into the rc file of `shell`."""
    printed = shlex.join(command("shell-init", shell))
    return f"{printed} | source" if shell == "fish" else f'eval "$({printed})"'


@dataclass(frozen=True, slots=True)
class Home:
    """A home directory with a place for the daemon's file."""

    directory: Path

    @property
    def environ(self) -> dict[str, str]:
        """An environment with nothing of the tests' own in it."""
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "HOME": str(self.directory),
            "ZDOTDIR": str(self.directory),
            "XDG_RUNTIME_DIR": str(self.directory / "run"),
        }

    @property
    def file(self) -> Path:
        """The file for prompts."""
        return Path(prompt_path(socket_path(self.environ)))

    def write(self, status: PromptStatus | bytes) -> None:
        """Put the file in place as the daemon does."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        new = self.file.with_name("new")
        new.write_bytes(status if isinstance(status, bytes) else encode(status))
        new.replace(self.file)


def a_status(
    runtime: str = "active",
    *,
    drift: str = "idle",
    open_drift: str = "none",
    stale: bool = False,
    left_secs: float = 750.0,
    ends: int | None = None,
    pid: int | None = None,
) -> PromptStatus:
    """Return a status of this process; with 12.5 minutes left no test meets a change of minute."""
    return PromptStatus(
        pid=os.getpid() if pid is None else pid,
        runtime=runtime,
        drift=drift,
        open_drift=open_drift,
        stale=stale,
        ends=int(now() + left_secs) if ends is None else ends,
    )


def said() -> dict[PromptStatus, str]:
    """Return what a prompt says of each status, counted from now."""
    return {
        a_status("idle", left_secs=0): "",
        a_status("planning"): "planning ",
        a_status("review"): "review ",
        a_status(): "focus 13m ",
        a_status(drift="pending"): "focus 13m ",
        a_status(drift="ontask"): "on task 13m ",
        a_status(drift="drifting", open_drift="open"): "drifting! 13m ",
        a_status(drift="idle", open_drift="open"): "drifting! 13m ",
        a_status(drift="ontask", open_drift="past"): "drifted 13m ",
        a_status(drift="ontask", stale=True): "stale ",
        a_status(drift="paused"): "paused ",
        a_status(drift="paused", open_drift="open"): "paused ",
        a_status(drift="paused", stale=True): "stale ",
        a_status(drift="away"): "away 13m ",
        a_status(drift="away", open_drift="open"): "drifting! 13m ",
        a_status(drift="away", open_drift="past"): "drifted 13m ",
        a_status(drift="away", left_secs=-450): "away +7m ",
        a_status(left_secs=30): "focus 1m ",
        a_status(left_secs=-30): "focus +0m ",
        a_status(left_secs=-450): "focus +7m ",
        a_status(left_secs=36_030): "focus 601m ",
        a_status(ends=0): "focus ",
    }


def good() -> bytes:
    """Return the daemon's line in a session with 13 minutes left."""
    return encode(a_status(drift="ontask"))


@dataclass(slots=True)
class Shell:
    """An interactive shell, and somebody who types."""

    terminal: Terminal
    _marks: int = field(default=0)

    @property
    def seen(self) -> str:
        """All that it has printed."""
        return self.terminal.seen.decode(errors="replace")

    def prompt_after(self, typed: str = "") -> str:
        """Run a command and return the next prompt as a person reads it, but for its end."""
        return _ESCAPES.sub("", self.raw_prompt_after(typed))

    def raw_prompt_after(self, typed: str = "") -> str:
        """Run a command and return the next prompt with its colours, but for its end."""
        self._marks += 1
        line = f"printf 'mark-%s\\n' {self._marks}; {typed}".rstrip("; ")
        self.terminal.type(f"{line}\n".encode())
        found = self.wait_for(rf"mark-{self._marks}\r?\n(?s:(.*?)){READY}")
        return re.split(r"[\r\n]", found[1])[-1]

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read until `pattern` has been seen."""
        while not (found := re.search(pattern, self.seen)):
            self.terminal.read()
        return found

    def leave(self) -> None:
        """Have the shell end."""
        self.terminal.type(b"exit\n")
        self.terminal.process.wait(PATIENCE_SECS)


@contextmanager
def open_shell(
    name: str,
    home: Home,
    *,
    before: str = "",
    after: str = "",
    loads: int = 1,
    under: Sequence[str] = (),
    **variables: str,
) -> Iterator[Shell]:
    """Run a shell in a terminal; its rc file holds a prompt, `before`, the segment and `after`."""
    lines = [_PROMPTS[name], before, *[load_line(name)] * loads, after]
    arguments = _write_rc(name, home, "\n".join(lines) + "\n")
    line, environ = [*under, name, *arguments, "-i"], {**home.environ, **variables}
    with open_in_terminal(line, environ, directory=str(home.directory)) as terminal:
        shell = Shell(terminal)
        shell.wait_for(READY)
        yield shell


def run_code(
    name: str, code: str, environ: Mapping[str, str], directory: Path
) -> subprocess.CompletedProcess[str]:
    """Run `code` in a shell that has loaded the segment, and that nobody types into."""
    script = f"{load_line(name)}\n{code}"
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    return subprocess.run(
        [name, *quiet, "-c", script],
        env={"PYTHONPATH": os.pathsep.join(sys.path), **environ},
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )


def _write_rc(name: str, home: Home, text: str) -> list[str]:
    """Write the rc file and return the arguments that make the shell read it."""
    match name:
        case "bash":
            rc = home.directory / ".bashrc"
            arguments = ["--noprofile", "--rcfile", str(rc)]
        case "zsh":
            rc, arguments = home.directory / ".zshrc", ["-d"]
        case _:
            rc, arguments = home.directory / ".config/fish/config.fish", []
            # Else fish makes completions in the background when it starts for the first time.
            completions = home.directory / ".local/share/fish/generated_completions"
            completions.mkdir(parents=True, exist_ok=True)
    rc.parent.mkdir(parents=True, exist_ok=True)
    rc.write_text(text)
    return arguments
