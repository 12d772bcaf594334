"""The verb `completion`: prints the script with which a shell completes our command line."""

from antidrift_cli.completing import SHELLS, script
from antidrift_cli.declaring import argument, verb
from antidrift_cli.output import say_json


@verb(
    argument("shell", choices=SHELLS, required=True),
    examples=[
        'eval "$(antidrift completion bash)"   # in ~/.bashrc',
        'eval "$(antidrift completion zsh)"    # in ~/.zshrc, after compinit',
        "antidrift completion fish > ~/.config/fish/completions/antidrift.fish",
    ],
)
def completion(*, shell: str, as_json: bool = False) -> None:
    """Print what makes Tab complete verbs and names.

    Window classes and tasks are completed too, with what the daemon knows of them.
    """
    if not as_json:
        print(script(shell), end="")
        return
    import json

    say_json(json.dumps({"shell": shell, "script": script(shell)}).encode())
