"""One look at a window: everything the rules ask about it, worked out once."""

from collections.abc import Collection
from typing import NamedTuple

from antidriftd.core.drift.matching import is_allowed
from antidriftd.core.drift.page_key import Key, key_of
from antidriftd.core.model import Allowance, Window
from antidriftd.core.rules import Rules


class Sight(NamedTuple):
    """A window as the rules see it."""

    window: Window
    key: Key
    allowed: bool
    condemned: bool
    """The person said that it is no part of the task, which holds for the rest of the session."""
    terminal: bool
    nothing_to_judge: bool
    """It says nothing about what the person is doing: neutral, blank, or a new tab."""

    @property
    def many_faced(self) -> bool:
        """Whether one page of this program says nothing about the next."""
        return self.key.page is not None


def look(
    window: Window,
    rules: Rules,
    allowances: Collection[Allowance],
    condemned: Collection[Key],
) -> Sight:
    """Return what the rules need to know about `window`; what is condemned isn't allowed.

    Only the class tells terminals and neutral programs: `xterm -class Mail` is how people make a
    program of its own out of one that runs in a terminal, and its instance stays `xterm`.
    """
    key, program = key_of(window, rules), window.window_class.strip().casefold()
    return Sight(
        window=window,
        key=key,
        allowed=key not in condemned and is_allowed(allowances, window, key.page),
        condemned=key in condemned,
        terminal=program in rules.terminals,
        nothing_to_judge=_says_nothing(program, window, key.page, rules),
    )


def _says_nothing(program: str, window: Window, page: str | None, rules: Rules) -> bool:
    title = window.title.strip().casefold()
    return (
        program in rules.neutral
        or (not program and not title)
        or (page is not None and (not page or page in rules.new_tabs))
        or (program in rules.terminals and title.split(" ")[0] == "antidrift")
    )
