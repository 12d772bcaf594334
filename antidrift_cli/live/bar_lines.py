"""The text of a bar, a line each time it changes, with or without a daemon."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from antidrift_cli import bars
from antidrift_cli.client import Reply
from antidrift_cli.clock import now
from antidrift_cli.errors import CliError
from antidrift_cli.live.following import read_news
from antidrift_cli.output import say

if TYPE_CHECKING:
    from protocol.views import State


def print_bar_lines(environ: Mapping[str, str], name: str) -> None:
    """Print the line of bar `name` whenever it changes, for as long as somebody reads it.

    Raises:
        OtherProtocol: the daemon can't understand us; the bar shows it as away.
    """
    bar = _Bar(name)
    for news in read_news(environ, bar.due_secs):
        bar.take(news)


class _Bar:
    """One bar, and what was printed for it last."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._state: State | None = None
        self._shown: str | None = None

    def due_secs(self) -> float | None:
        return bars.due_secs(self._state, now())

    def take(self, news: Reply | CliError | None) -> None:
        """Print what it shows after `news`, or now that time has passed, if that is new."""
        if news:
            self._state = news.state if isinstance(news, Reply) else None
        line = bars.line(self._name, self._state, now())
        if line != self._shown:
            say([line])
            self._shown = line
