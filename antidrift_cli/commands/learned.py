"""The verb `learned`: shows what the person's answers taught, and forgets it."""

import os
from collections.abc import Sequence
from typing import Final

from antidrift_cli.client import open_client
from antidrift_cli.declaring import option, verb
from antidrift_cli.output import say, say_json
from protocol.methods import NoParams, Params, UnlearnParams
from protocol.views import Learned

_ALL: Final = "--all"


@verb(
    option(
        "--forget",
        "named",
        multiple=True,
        metavar="CLASS|NUMBER|--all",
        help="Forget a window class, a line of the list, or all of it. Can be repeated.",
    ),
    examples=[
        "antidrift learned",
        "antidrift learned --forget steam",
        "antidrift learned --forget 3 --forget 5",
        "antidrift learned --forget --all",
    ],
)
def learned(*, named: tuple[str, ...] = (), as_json: bool = False) -> None:
    """Show what your answers taught: which windows you called on task or off task, doing what.

    It is what the built-in judge takes for a hint. What is forgotten gives no hint from then on,
    and the history no longer knows what window you spoke of; verdicts of the running session stand.
    """
    from antidrift_cli.history.learned_text import forgotten_lines, learned_lines

    method, params = _request(named)
    with open_client(os.environ) as client:
        result, json = client.get(method, Learned, params)
    if as_json:
        say_json(json)
    else:
        say(forgotten_lines(result) if named else learned_lines(result))


def _request(named: Sequence[str]) -> tuple[str, Params]:
    if not named:
        return "learned", NoParams()
    rest = [each for each in named if each != _ALL]
    numbers = [each for each in rest if each.isascii() and each.isdigit() and len(each) <= 9]
    return "unlearn", UnlearnParams(
        numbers=tuple(map(int, numbers)),
        window_classes=tuple(each for each in rest if each not in numbers),
        everything=_ALL in named,
    )
