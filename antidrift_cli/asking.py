"""Questions to the person at the terminal; Ctrl-C and Ctrl-D there interrupt the verb."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def can_ask() -> bool:
    """Return whether a person sits there who can be asked something."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask_choice(question: str, choices: Sequence[T], default: T) -> T:
    """Return which of the choices the person takes."""
    import click  # here, as below, as most verbs ask nothing

    with _interruptible():
        chosen: T = click.prompt(question, type=click.Choice(choices), default=default, err=True)
    return chosen


def ask_text(question: str, read: Callable[[str], T]) -> T:
    """Return what `read` makes of the person's line, which may be empty.

    Where it raises ValueError the person is told why, and asked again.
    """
    import click

    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise click.UsageError(str(error)) from error

    with _interruptible():
        answer: T = click.prompt(
            question, default="", show_default=False, err=True, value_proc=checked
        )
    return answer


def confirm(question: str) -> bool:
    """Return whether the person says yes, which Enter is."""
    import click

    with _interruptible():
        return click.confirm(question, default=True, err=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    import click

    try:
        yield
    except click.Abort:
        raise KeyboardInterrupt from None
