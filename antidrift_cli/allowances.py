"""What a session allows, and what one answer changed of it."""

from typing import Literal, NamedTuple

from antidrift_cli.visible import cut, visible
from protocol.views import State, Subject


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


def condemned(state: State) -> list[Allowance]:
    """Return all that was called off task, each as the allowance that would take it back."""
    return [_of(each) for each in state.commitment.off_task] if state.commitment else []


def condemned_since(before: State, after: State) -> list[Allowance]:
    """Return what is off task in `after` and wasn't in `before`."""
    known = condemned(before)
    return [each for each in condemned(after) if each not in known]


def _of(subject: Subject) -> Allowance:
    if subject.title:
        return Allowance("title", f"={subject.title}")
    return Allowance("class", subject.window_class)


def command(verb: Literal["ontask", "disallow"], allowance: Allowance) -> str:
    """Return the command that names `allowance`, quoted for bash, zsh and fish alike.

    Text that can't be shown as it is can't be pasted, and a quoted backslash means something else
    in fish: there it is the bare command, which is about the last one.
    """
    if visible(allowance.value) != allowance.value or "\\" in allowance.value:
        return f"antidrift {verb}"
    # Joined by `=`, a value that begins with a dash isn't taken for an option.
    joint = "=" if allowance.value.startswith("-") else " "
    return f"antidrift {verb} --{allowance.kind}{joint}{_quoted(allowance.value)}"


def _quoted(value: str) -> str:
    """Return `value` as one word for a shell; `shlex.quote` leaves zsh's `=ls`, fish's `%self`."""
    if value and value.isascii() and all(char.isalnum() or char in "_.,:/@+-" for char in value):
        return value
    return "'" + value.replace("'", "'\"'\"'") + "'"
