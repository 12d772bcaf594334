"""The verb `shell-init`: prints what adds the segment to a prompt."""

from importlib.resources import files
from types import MappingProxyType
from typing import Final

import click

from antidrift_cli.verb import examples

_PARTS: Final = MappingProxyType(
    {
        "bash": ("segment.bash", "prompt.bash"),
        "zsh": ("segment.zsh", "prompt.zsh"),
        "fish": ("segment.fish", "prompt.fish"),
        "p10k": ("segment.zsh", "p10k.zsh"),
        "starship": ("starship.head", "segment.bash", "starship.tail"),
    }
)
"""The files in `antidrift_cli/shells` that make up what is printed for each."""


@click.command(
    epilog=examples(
        'eval "$(antidrift shell-init bash)"      # in ~/.bashrc; for zsh in ~/.zshrc',
        "antidrift shell-init fish | source       # in ~/.config/fish/config.fish",
        "antidrift shell-init starship >> ~/.config/starship.toml",
    )
)
@click.argument("shell", type=click.Choice(tuple(_PARTS)))
def shell_init(*, shell: str) -> None:
    """Print what adds the segment to your prompt, to go into an rc file.

    It starts no program: a shell reads a small file that the daemon keeps. To take the segment out
    of a running bash, zsh or fish: antidrift_prompt_off
    """
    folder = files("antidrift_cli") / "shells"
    text = "".join((folder / part).read_text("utf-8") for part in _PARTS[shell])
    click.echo(text, nl=False)
