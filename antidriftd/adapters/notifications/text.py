"""The words of a notification, made safe for whatever program shows them."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final, assert_never

from antidriftd.core.model import Notification, NotificationChoice, NotificationSubject, Window
from protocol.visible import one_line

LABELS: Final[Mapping[NotificationSubject, Mapping[NotificationChoice, str]]] = {
    "drift": {
        "refocus": "Back to task",
        "ontask": "This is on task",
        "complete": "End session",
    },
    "timebox": {
        "extend": "5 more minutes",
        "complete": "End session",
    },
    "pause": {
        "resume": "Go on",
        "complete": "End session",
    },
}
"""What can be chosen in each kind of notification, and how it is called there."""

_VERBS: Final[Mapping[NotificationChoice, str]] = {
    "refocus": "refocus",
    "ontask": "ontask",
    "complete": "complete",
    "extend": "extend 5m",
    "resume": "resume",
}

_MAX_TASK_CHARS = 80
_MAX_CLASS_CHARS = 40
_MAX_TITLE_CHARS = 120
_MAX_REASON_CHARS = 240

_AS_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_WITHOUT_TAGS: Final = str.maketrans({"<": "\u2039", ">": "\u203a"})  # single quotation marks


@dataclass(frozen=True, slots=True)
class BubbleText:
    """What is shown; `actions` are pairs of a choice and its label, one after the other."""

    summary: str
    body: str
    actions: tuple[str, ...] = ()


def text_of(notification: Notification, capabilities: Set[str]) -> BubbleText:
    """Return the words of a notification for a program with these capabilities.

    They are those of the Desktop Notifications Specification (GetCapabilities): the body is markup
    if there is `body-markup`, and plain otherwise; the summary always is plain. A plain body has no
    angle brackets either: dunst 1.9 without a dunstrc does not say that it takes markup, and does.

    What can be chosen stands in the body too, as commands: many programs have no buttons, and
    others (dunst, mako) have them in a menu that few people open.
    """
    has_actions = "actions" in capabilities
    table = _AS_MARKUP if "body-markup" in capabilities else _WITHOUT_TAGS
    outside = "\n".join(_what_happened(notification)).translate(table)
    commands = _commands(notification, has_actions=has_actions)
    labels = LABELS[notification.about] if has_actions else {}
    return BubbleText(
        summary=_summary(notification),
        body=f"{outside}\n{commands}" if outside else commands,
        actions=tuple(text for choice in labels.items() for text in choice),
    )


def _summary(notification: Notification) -> str:
    task = one_line(notification.next_action, _MAX_TASK_CHARS)
    match notification.about:
        case "drift":
            return f"Back to “{task}”?"
        case "timebox":
            return f"Time is up: {task}"
        case "pause":
            return f"Still paused: {task}"
        case _:
            assert_never(notification.about)


def _what_happened(notification: Notification) -> Iterator[str]:
    if notification.window and (name := _window_name(notification.window)):
        yield name
    if reason := one_line(notification.reason, _MAX_REASON_CHARS):
        yield reason


def _window_name(window: Window) -> str:
    parts = (
        one_line(window.window_class, _MAX_CLASS_CHARS),
        one_line(window.title, _MAX_TITLE_CHARS),
    )
    return ": ".join(filter(None, parts))


def _commands(notification: Notification, *, has_actions: bool) -> str:
    labels = LABELS[notification.about]
    if has_actions:
        return "or type: antidrift " + " · ".join(_VERBS[choice] for choice in labels)
    return "\n".join(f"{label}: antidrift {_VERBS[choice]}" for choice, label in labels.items())
