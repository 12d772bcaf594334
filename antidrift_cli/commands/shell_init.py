"""The verb `shell-init`: prints what adds the segment to a prompt."""

from pathlib import Path
from types import MappingProxyType
from typing import Final

from antidrift_cli.declaring import argument, verb
from antidrift_cli.output import say_json

_FOLDER: Final = Path(__file__).parents[1] / "shells"

_PARTS: Final = MappingProxyType(
    {
        "bash": ("segment.bash", "prompt.bash"),
        "zsh": ("segment.zsh", "prompt.zsh"),
        "fish": ("segment.fish", "prompt.fish"),
        "p10k": ("segment.zsh", "p10k.zsh"),
        "starship": ("starship.head", "segment.bash", "starship.tail"),
    }
)
"""The files that make up what is printed for each."""


@verb(
    argument("shell", choices=tuple(_PARTS), required=True),
    examples=[
        'eval "$(antidrift shell-init bash)"      # in ~/.bashrc; for zsh in ~/.zshrc',
        "antidrift shell-init fish | source       # in ~/.config/fish/config.fish",
        "antidrift shell-init starship >> ~/.config/starship.toml",
    ],
)
def shell_init(*, shell: str, as_json: bool = False) -> None:
    """Print what adds the segment to your prompt, to go into an rc file.

    It starts no program: a shell reads a small file that the daemon keeps. To take the segment out
    of a running bash, zsh or fish: antidrift_prompt_off
    """
    code = "".join((_FOLDER / part).read_text("utf-8") for part in _PARTS[shell])
    if as_json:
        import json  # here, as few runs need it

        say_json(json.dumps({"shell": shell, "code": code}).encode())
    else:
        print(code, end="")  # our own text, and of more than one line
