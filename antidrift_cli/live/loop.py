"""The view at work: waits for the daemon, keys, signals and the next second, and draws."""

import select
import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from antidrift_cli.client import Reply, open_client
from antidrift_cli.clock import now
from antidrift_cli.errors import CliError, OtherProtocol, Refused
from antidrift_cli.live.drawing import View, draw, due_secs
from antidrift_cli.live.following import News, follow, is_read, wait
from antidrift_cli.live.inbox import Inbox
from antidrift_cli.live.keys import QUIT, Keyboard, Order, order_for
from antidrift_cli.live.look import Look, shows_unicode
from antidrift_cli.live.replies import done_line
from antidrift_cli.live.screen import Screen, open_screen
from antidrift_cli.live.signals import Signals, open_signals, stop
from protocol.views import State

_MESSAGE_SECS: Final = 10.0
_STANDARD_INPUT: Final = 0
_WENT_AWAY: Final = "the daemon went away"


@dataclass(frozen=True, slots=True)
class Done:
    """What a key's order came to."""

    line: str


Item: TypeAlias = News | Done


def show_live(environ: Mapping[str, str]) -> None:
    """Show the view until the person quits or the terminal goes away.

    Raises:
        CliError: no daemon answers at the start, or one of another protocol at any time.
        KeyboardInterrupt: it was ended with Ctrl-C.
        SystemExit: it was ended with another signal.
    """
    inbox: Inbox[Item] = Inbox()
    try:
        with follow(environ, inbox.put):
            first = inbox.take()
            if isinstance(first, CliError):
                raise first
            if isinstance(first, Reply):
                with open_signals() as signals, open_screen() as screen:
                    _Live(environ, inbox, signals, screen, first.state).run()
    finally:
        inbox.close()


class _Live:
    """Holds what the view shows, and does what keys and signals ask for."""

    def __init__(
        self,
        environ: Mapping[str, str],
        inbox: Inbox[Item],
        signals: Signals,
        screen: Screen,
        state: State,
    ) -> None:
        self._environ = environ
        self._inbox = inbox
        self._signals = signals
        self._screen = screen
        self._state = state
        self._keyboard = Keyboard()
        self._unicode = shows_unicode()
        self._away_since: float | None = None
        self._absence = ""
        self._message = ""
        self._message_until = 0.0
        self._waits_for_answer = False
        self._ended = False

    def run(self) -> None:
        """Draw whenever something changes, until the end."""
        while not self._ended:
            view = self._view()
            size = self._screen.size()
            self._screen.paint(draw(view, Look(size.columns, self._unicode), size.lines))
            self._wait(self._due_secs(view))

    def _wait(self, secs: float | None) -> None:
        sources = (self._signals.fileno(), self._inbox.fileno(), _STANDARD_INPUT)
        ready = wait(dict.fromkeys(sources, select.POLLIN), secs)
        if not is_read(ready):  # the terminal is gone, and with it the keys
            self._ended = True
            return
        if self._signals.fileno() in ready:
            for number in self._signals.take():
                self._obey(signal.Signals(number))
        if self._inbox.fileno() in ready:
            self._take(self._inbox.take())
        if _STANDARD_INPUT in ready:
            self._read_keys()

    def _view(self) -> View:
        moment = now()
        if self._message_until <= moment:
            self._message = ""
        messages = [self._message] if self._message else []
        if self._away_since is not None:
            messages.append(f"{self._absence}; waiting for it")
        return View(self._state, moment, tuple(messages), self._away_since)

    def _due_secs(self, view: View) -> float | None:
        message = [self._message_until - view.now] if self._message else []
        second = due_secs(view)
        return min([*message, *([] if second is None else [second])], default=None)

    def _say(self, message: str) -> None:
        self._message, self._message_until = message, now() + _MESSAGE_SECS

    def _take(self, item: Item) -> None:
        match item:
            case Reply():
                if self._away_since is not None:
                    self._say("the daemon is back")
                self._state, self._away_since = item.state, None
            case OtherProtocol():
                raise item
            case CliError():
                self._away_since = self._away_since or now()
                self._absence = str(item) if isinstance(item, Refused) else _WENT_AWAY
            case Done():
                self._waits_for_answer = False
                self._say(item.line)
            case None:
                self._ended = True

    def _read_keys(self) -> None:
        data = self._screen.keys()
        for key in self._keyboard.pressed(data):
            if key == QUIT:
                self._ended = True
            elif (order := order_for(key, self._state, now())) and not self._waits_for_answer:
                self._give(order)
        if not data:
            self._ended = True

    def _give(self, order: Order) -> None:
        """Ask the daemon beside everything else; a key pressed meanwhile is a double press."""
        self._waits_for_answer = True
        given = [self._environ, order, self._state, self._inbox]
        threading.Thread(target=_carry_out, args=given, daemon=True).start()

    def _obey(self, number: signal.Signals) -> None:
        match number:
            case signal.SIGINT:
                raise KeyboardInterrupt
            case signal.SIGTERM | signal.SIGHUP:
                raise SystemExit(128 + number)
            case signal.SIGTSTP:
                self._screen.leave()
                stop()
                self._screen.enter()
            case signal.SIGCONT:
                self._screen.take_over()
            case _:
                self._screen.clear()


def _carry_out(environ: Mapping[str, str], order: Order, before: State, inbox: Inbox[Item]) -> None:
    try:
        with open_client(environ) as client:
            after = client.ask(order.method, order.params).state
        line = done_line(order, before, after)
    except CliError as error:
        line = str(error)
    inbox.put(Done(line))
