"""The engine: owns the state, and is the only one to replace it."""

from collections.abc import Callable

import trio

from antidriftd.core.effects import Effect
from antidriftd.core.events import Command, Event
from antidriftd.core.machine import next_deadline, transition
from antidriftd.core.state import State
from antidriftd.core.timekeeping import keep_time
from antidriftd.runtime.clock import Clock
from antidriftd.runtime.timer import Timer


class Engine:
    """Holds the state and feeds it events.

    `dispatch` never awaits, so in Trio no two events can interleave. `perform` and `publish` only
    schedule, and never dispatch from inside.
    """

    def __init__(
        self,
        state: State,
        *,
        clock: Clock,
        timer: Timer,
        perform: Callable[[Effect], None],
        publish: Callable[[State], None],
    ) -> None:
        self._state = state
        self._published = state
        self._clock = clock
        self._timer = timer
        self._perform = perform
        self._publish = publish
        self._settled = trio.Event()

    @property
    def state(self) -> State:
        """The newest state, which the disk may not have yet."""
        return self._state

    def published(self) -> State:
        """Return the state that clients may see, counted up to now.

        A command's state is held back until its save has succeeded or failed.
        """
        return keep_time(self._published, self._clock.now())

    def dispatch(self, event: Event) -> State:
        """Take an event and return the state after it.

        Raises:
            TransitionRefused: a command that may not happen now; nothing has changed.
        """
        now = self._clock.now()
        result = transition(self._state, event, now)
        self._state = result.state
        for effect in result.effects:
            self._perform(effect)
        self._timer.arm(next_deadline(self._state, now))
        if self._state.saving.settled:
            self._show()
        return self._state

    async def execute(self, command: Command) -> State:
        """Take a command; return the published state once the command's save is decided.

        Raises:
            TransitionRefused: the command may not happen now; nothing has changed.
        """
        before = self._state.revision
        revision = self.dispatch(command).revision
        while revision != before and not self._is_decided(revision):
            await self._settled.wait()
        return self.published()

    def _is_decided(self, revision: int) -> bool:
        return revision <= max(self._published.saving.saved, self._published.saving.failed)

    def _show(self) -> None:
        is_news = self._state.revision != self._published.revision
        self._published = self._state
        self._settled.set()
        self._settled = trio.Event()
        if is_news:
            self._publish(self._state)
