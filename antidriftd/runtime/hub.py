"""Subscriptions: the snapshot first, then the newest state; slow readers never hurt others."""

from collections.abc import Callable
from typing import Protocol

import trio

from antidriftd.core.state import State
from antidriftd.runtime.timer import Timer

SPACING_SECS = 0.11
"""At most ten states in any second."""


class Subscriber(Protocol):
    """Someone who wants to know every new state."""

    def offer(self, revision: int, frame: bytes) -> None:
        """Take the encoded state of `revision`; returns at once, whatever the reader does."""


class Hub:
    """Encodes each state once and hands it to every subscriber.

    The first change goes out at once; what follows within `SPACING_SECS` is replaced by what is
    newest then.
    """

    def __init__(self, encode: Callable[[State], bytes]) -> None:
        self._encode = encode
        self._timer = Timer()
        # In the order in which they came, and so in memory: for a thousand that saves some time.
        self._subscribers: dict[Subscriber, None] = {}
        self._latest: State | None = None
        self._waiting: State | None = None
        self._quiet_until = 0.0

    def subscribe(self, subscriber: Subscriber, *, since: int) -> None:
        """Offer every state after the revision `since` to `subscriber`."""
        self._subscribers[subscriber] = None
        if self._latest is not None and self._latest.revision > since:
            self.publish(self._latest)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Offer nothing more to `subscriber`."""
        self._subscribers.pop(subscriber, None)

    def publish(self, state: State) -> None:
        """Offer `state` to every subscriber, now or as soon as the spacing allows."""
        self._latest = state
        if not self._subscribers:
            return
        self._waiting = state
        wait = self._quiet_until - trio.current_time()
        if wait <= 0:
            self._send()
        else:
            self._timer.arm(wait)

    async def run(self) -> None:
        """Send what had to wait, until cancelled."""
        await self._timer.run(self._send)

    def _send(self) -> None:
        state, self._waiting = self._waiting, None
        if state is None:
            return
        self._quiet_until = trio.current_time() + SPACING_SECS
        frame = self._encode(state)
        for subscriber in tuple(self._subscribers):
            subscriber.offer(state.revision, frame)
