"""The engine: owns the state, and is the only one to replace it."""

from collections.abc import Callable

import trio

from antidriftd.core.effects import Effect
from antidriftd.core.events import Command, Event, TimeElapsed
from antidriftd.core.machine import next_deadline, transition
from antidriftd.core.replacing import replace
from antidriftd.core.requests import begin_all
from antidriftd.core.state import PhaseName, State
from antidriftd.core.timekeeping import keep_time
from antidriftd.runtime.clock import Clock
from antidriftd.runtime.timer import Timer


class Engine:
    """Holds the state and feeds it events.

    `dispatch` never awaits, so in Trio no two events can interleave. `perform`, `publish` and
    `show_prompt` only schedule, and never dispatch from inside. A prompt is shown whatever is
    decided, also when it is no new revision: time alone changes what it tells.
    """

    def __init__(
        self,
        state: State,
        *,
        clock: Clock,
        timer: Timer,
        perform: Callable[[Effect], None],
        publish: Callable[[State], None],
        show_prompt: Callable[[State], None],
    ) -> None:
        self._state = state
        self._published = state
        self._held: list[State] = []
        """What each undecided command but the last led to, in order."""
        self._clock = clock
        self._timer = timer
        self._perform = perform
        self._publish = publish
        self._show_prompt = show_prompt
        self._settled = trio.Event()

    @property
    def state(self) -> State:
        """The newest state, which the disk may not have yet."""
        return self._state

    @property
    def runtime(self) -> PhaseName:
        """The phase that clients may see."""
        return self._published.phase.name

    def begin(self) -> None:
        """Begin what the state that we started with has under way."""
        for request in begin_all(self._state, self._clock.now()):
            self._perform(request)

    def published(self) -> State:
        """Return the state that clients may see, counted up to now.

        A command's state is held back until its save has succeeded or failed.
        """
        return keep_time(self._published, self._clock.now())

    def look(self) -> State:
        """Let time pass, and return the state that clients may see, counted up to now.

        Time may have passed unnoticed, as in a suspend; what that changes has to show.
        """
        newest = self.dispatch(TimeElapsed())
        return newest if newest is self._published else self.published()

    def dispatch(self, event: Event) -> State:
        """Take an event and return the state after it.

        Raises:
            TransitionRefused: a command that may not happen now; nothing has changed.
        """
        now = self._clock.now()
        before, result = self._state, transition(self._state, event, now)
        self._state = result.state
        if isinstance(event, Command) and not before.saving.settled:
            self._held.append(before)
        for effect in result.effects:
            self._perform(effect)
        self._timer.arm(next_deadline(self._state, now))
        self._show_what_is_decided()
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

    def _show_what_is_decided(self) -> None:
        """Publish the newest state whose commands the disk has taken or refused.

        A command doesn't wait for those that came while it was being saved.
        """
        saving = self._state.saving
        reached = max(saving.saved, saving.failed)
        decided = [s for s in (*self._held, self._state) if s.saving.commanded <= reached]
        if not decided:
            return
        del self._held[: len(decided)]
        newest = decided[-1]
        if newest is not self._state:
            saving = replace(saving, commanded=newest.saving.commanded)
            newest = replace(newest, saving=saving, notices=self._state.notices)
        self._show(newest)

    def _show(self, state: State) -> None:
        is_news = state.revision != self._published.revision
        self._published = state
        self._settled.set()
        self._settled = trio.Event()
        if is_news:
            self._publish(state)
        # Last: clients needn't wait while a file is put in place.
        self._show_prompt(state)
