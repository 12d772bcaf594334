"""The verb `prompt`: prints the segment for a shell prompt.

`antidrift prompt` on its own is answered in `antidrift_cli.__main__`, before this is imported.
"""

import os

from antidrift_cli.clock import now
from antidrift_cli.declaring import verb
from antidrift_cli.output import say, say_json
from antidrift_cli.prompt_segment import read_status, segment


@verb(examples=["antidrift prompt", "antidrift prompt --json | jq .runtime"])
def prompt(*, as_json: bool = False) -> None:
    """Print the segment for a shell prompt: nothing when there is nothing to say.

    It reads the daemon's file for prompts and never fails. What antidrift shell-init prints does
    the same within the shell, and much faster. With --json: what the file says, or {}.
    """
    status = read_status(os.environ)
    if as_json:
        import json  # here, as few runs need it

        say_json(json.dumps(status.members() if status else {}).encode())
    elif status and (text := segment(status, now())):
        say([text])
