"""Real shells on a terminal, with our completion loaded, and somebody who types."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.cli.terminal import Terminal, open_in_terminal

COMMANDS: Mapping[str, Sequence[str]] = {
    "bash": ("bash", "--noprofile", "--norc", "-i"),
    "zsh": ("zsh", "-f", "-i"),
    "fish": ("fish", "--no-config", "-i"),
}

_LOAD: Mapping[str, str] = {
    "bash": 'eval "$(antidrift completion bash)"',
    "zsh": 'autoload -Uz compinit; compinit -u -D; eval "$(antidrift completion zsh)"',
    "fish": "antidrift completion fish | source",
}


@contextmanager
def open_shell(shell: str, environ: Mapping[str, str], load: str = "") -> Iterator[Terminal]:
    """Start an interactive shell in the home of `environ`, in which Tab completes antidrift.

    `load` is what makes it do so, where it isn't what the help shows.
    """
    programs = Path(sys.executable).parent
    dumb = {**environ, "TERM": "dumb", "PATH": f"{programs}:{environ['PATH']}"}
    with open_in_terminal(COMMANDS[shell], dumb, directory=environ["HOME"]) as terminal:
        # The quotes keep what is typed, and echoed, apart from what it prints.
        terminal.type(f"{load or _LOAD[shell]}; echo rea''dy\r".encode())
        terminal.wait_for(b"ready\r\n")
        yield terminal
