"""One look at a window: everything the rules ask about it, worked out once."""

from collections.abc import Collection
from dataclasses import dataclass

from antidriftd.core.drift.matching import is_allowed
from antidriftd.core.drift.page_key import Key, key_of, page_of
from antidriftd.core.model import Allowance, Window
from antidriftd.core.rules import Rules


@dataclass(frozen=True, slots=True)
class Sight:
    """A window as the rules see it."""

    window: Window
    key: Key
    allowed: bool
    terminal: bool
    nothing_to_judge: bool
    """It says nothing about what the person is doing: neutral, blank, or a new tab."""

    @property
    def many_faced(self) -> bool:
        """Whether one page of this program says nothing about the next."""
        return self.key.page is not None


def look(window: Window, rules: Rules, allowances: Collection[Allowance]) -> Sight:
    """Return what the rules need to know about `window`."""
    page = page_of(window, rules)
    terminal = _is_any(window, rules.terminals)
    return Sight(
        window=window,
        key=key_of(window, rules),
        allowed=is_allowed(allowances, window, page),
        terminal=terminal,
        nothing_to_judge=_says_nothing(window, page, rules, terminal=terminal),
    )


def _says_nothing(window: Window, page: str | None, rules: Rules, *, terminal: bool) -> bool:
    if page is not None and (not page or page in rules.new_tabs):
        return True
    if not window.window_class.strip() and not window.title.strip():
        return True
    if terminal and window.title.strip().casefold().split(" ")[0] == "antidrift":
        return True
    return _is_any(window, rules.neutral)


def _is_any(window: Window, programs: frozenset[str]) -> bool:
    return (
        window.window_class.strip().casefold() in programs
        or window.instance.strip().casefold() in programs
    )
