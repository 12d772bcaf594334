"""Tells when a client has sent something, with one task for all clients."""

import select
import socket
from collections.abc import Callable

import trio


class Readiness:
    """Calls back whenever a socket can be read.

    A task of its own for each, which Trio would wake, costs more than to answer most requests.
    Trio waits for an epoll of ours instead, which can be polled like any descriptor (epoll(7)).
    """

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._calls: dict[int, Callable[[], None]] = {}

    def watch(self, sock: socket.socket, call: Callable[[], None]) -> None:
        """Have `call` called whenever `sock` can be read, until it is unwatched."""
        self._calls[sock.fileno()] = call
        self._poll.register(sock, select.EPOLLIN)

    def unwatch(self, sock: socket.socket) -> None:
        """Call nobody about `sock`; that it is not watched is fine. To be done before it closes."""
        if self._calls.pop(sock.fileno(), None) is not None:
            self._poll.unregister(sock)

    async def run(self) -> None:
        """Call back, until cancelled; each socket once, and then other tasks have their turn."""
        while True:
            await trio.lowlevel.wait_readable(self._poll)
            self._call_all()

    def _call_all(self) -> None:
        for descriptor, _ in self._poll.poll(0):
            call = self._calls.get(descriptor)
            if call is not None:  # a call before it may have closed the socket
                call()

    def close(self) -> None:
        """Call nobody any more."""
        self._poll.close()
