"""The verb `capture`: keeps a thought about how one works, as evidence."""

import os

from antidrift_cli.client import open_client
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.output import say, say_json
from protocol.custody import Captured
from protocol.methods import CaptureParams

_ANSWER_SECS = 90
"""The node is looked at first, and there may be a program behind it."""


@verb(
    argument("words", nargs=-1, metavar="TEXT...", required=True),
    option("--decision", is_flag=True, help="It is a decision that stands from now on."),
    option("--unsure", is_flag=True, help="It is a guess, to be confirmed."),
    examples=[
        'antidrift capture "writing goes better before the mail is open"',
        'antidrift capture --decision "no meetings before noon"',
    ],
)
def capture(
    words: tuple[str, ...], *, decision: bool = False, unsure: bool = False, as_json: bool = False
) -> None:
    """Keep a thought about how you work, as evidence.

    It goes to the running session or stands by itself, and is weighed at the next harvest. It needs
    bindings: antidrift knowledge init.
    """
    params = CaptureParams(text=" ".join(words), decision=decision, unsure=unsure)
    with open_client(os.environ, _ANSWER_SECS) as client:
        kept, json = client.get("capture", Captured, params)
    if as_json:
        say_json(json)
    elif kept.session:
        say(["kept with this session; it is sealed when the session ends"])
    else:
        say([f"kept as input {kept.input[:8]}; weighed at the next: antidrift harvest"])
