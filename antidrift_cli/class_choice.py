"""Asks which of the programs seen lately belong to the task that is about to start."""

import os

from antidrift_cli.asking import ask_text
from antidrift_cli.client import open_client
from antidrift_cli.output import say_aside
from antidrift_cli.visible import cut
from protocol.views import Info, State

_CLASS_COLUMNS = 40


def ask_for_classes() -> tuple[str, ...]:
    """Return the classes that the person chose, maybe none; Ctrl-C starts nothing.

    Nobody is asked when the coach has proposed some, when nothing was seen, or when no session can
    start.
    """
    with open_client(os.environ) as client:
        info, _ = client.get("info", Info)
        state = client.ask("state").state
    if not info.seen_classes or state.runtime == "active" or _has_proposed(state):
        return ()
    names = (f"{at} {cut(name, _CLASS_COLUMNS)}" for at, name in enumerate(info.seen_classes, 1))
    say_aside([f"seen lately: {', '.join(names)}"])
    return ask_text(
        "Which belong to the task (numbers or names, Enter for none)",
        lambda text: chosen_classes(text, info.seen_classes),
    )


def chosen_classes(text: str, offered: tuple[str, ...]) -> tuple[str, ...]:
    """Return the classes that `text` names, by number or by name.

    Raises:
        ValueError: a number is none of those offered.
    """
    # A name may hold spaces; commas then part the names.
    parts = text.split(",") if "," in text else text.split()
    return tuple(_class_of(part.strip(), offered) for part in parts if part.strip())


def _class_of(word: str, offered: tuple[str, ...]) -> str:
    if not word.isdecimal():
        return word
    if 1 <= int(word[:4]) <= len(offered):
        return offered[int(word) - 1]
    raise ValueError(f"{word} is not one of 1 to {len(offered)}")


def _has_proposed(state: State) -> bool:
    proposal = state.coach.proposal if state.coach else None
    return proposal is not None and bool(proposal.allowed_window_classes)
