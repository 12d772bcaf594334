"""The verbs: each in a module of its name, imported only when it is used.

`antidrift --help` is made of this table alone.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import click

    from antidrift_cli.declaring import Verb

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plan": "Say what you mean to do.",
        "tasks": "List today's tasks.",
        "coach": "Ask the coach what to do next.",
        "knowledge-path": "Show or choose the profile that the coach reads.",
        "start": "Start a session.",
        "status": "Show how things stand.",
        "ontask": "Say that the window serves the task.",
        "offtask": "Say that the window is no part of the task.",
        "disallow": "Take back what was allowed.",
        "refocus": "Admit the drift and clear it.",
        "extend": "Give the session more time.",
        "pause": "Stop the time and the judging.",
        "resume": "Go on after a pause.",
        "complete": "End the session and see where the time went.",
        "review": "Say how the session went, and close it.",
        "cancel": "Drop the plan.",
        "watch": "Show what changes, as it changes.",
        "capture": "Keep a thought about how you work, as evidence.",
        "harvest": "Have evidence weighed, and accept what it teaches.",
        "knowledge": "Look at what is learned about you, and where it lies.",
        "why": "Explain the last verdict.",
        "learned": "Show what your answers taught.",
        "log": "List the sessions that are over.",
        "report": "Look back on the sessions that are over.",
        "export": "Give the history to other programs and machines.",
        "evaluate": "Measure a judge on windows whose label is known.",
        "prompt": "Print the segment for a shell prompt.",
        "shell-init": "Print what adds the segment to your prompt.",
        "completion": "Print what makes Tab complete verbs and names.",
        "service": "Let systemd start the daemon with your session.",
        "doctor": "Look for what is missing, and say what helps.",
        "config": "Show the settings in force.",
        "demo": "See a whole session played in half a minute.",
    }
)
"""Each verb's help in a line, in the order of a session."""


_HEAD: Final = """\
Usage: antidrift [OPTIONS] VERB [ARGS]...

  Stay with one task: a daemon watches the window in front and tells when you
  drift.

  Every verb talks to the running daemon, antidriftd. Try it without one:
  antidrift demo

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Verbs:"""


def help_lines() -> Iterator[str]:
    """Yield the help of `antidrift` itself."""
    yield from _HEAD.splitlines()
    widest = max(map(len, VERBS))
    for name, summary in VERBS.items():
        yield f"  {name:{widest}}  {summary}"


def load(name: str) -> "Verb | click.Group":
    """Import a verb and return it; one that has verbs of its own is a group of Click's.

    In the name of its module an underscore stands for a hyphen.
    """
    attribute = name.replace("-", "_")
    found: Verb | click.Group = getattr(
        import_module(f"antidrift_cli.commands.{attribute}"), attribute
    )
    return found
