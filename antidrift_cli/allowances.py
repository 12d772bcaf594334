"""What a session allows, and what one answer changed of it."""

from typing import Literal, NamedTuple

from antidrift_cli.visible import cut
from protocol.views import State


class Allowance(NamedTuple):
    """One allowed window class or title, as the State lists it."""

    kind: Literal["class", "title"]
    value: str

    def __str__(self) -> str:
        if self.kind == "title" and self.value.startswith("="):
            return f"page {cut(self.value[1:], 72)}"
        return f"{self.kind} {cut(self.value, 72)}"


def allowance_of(text: str) -> Allowance | None:
    """Return the entry that `text` names, as in `class code`; None when it names none."""
    kind, _, value = text.partition(" ")
    match kind:
        case "class" | "title" if value:
            return Allowance(kind, value)
        case _:
            return None


def allowances(state: State) -> list[Allowance]:
    """Return all that the session allows; nothing without one."""
    if not state.commitment:
        return []
    classes = [Allowance("class", each) for each in state.commitment.allowed_window_classes]
    return classes + [Allowance("title", each) for each in state.commitment.allowed_window_titles]


def gained(before: State, after: State) -> list[Allowance]:
    """Return what `after` allows and `before` didn't."""
    known = allowances(before)
    return [each for each in allowances(after) if each not in known]
