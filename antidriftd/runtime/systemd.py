"""What a service manager is told: ready, alive, stopping (sd_notify(3))."""

import contextlib
import os
import socket
from collections.abc import Mapping

import trio

from antidriftd.core.events import TimeElapsed
from antidriftd.runtime.engine import Engine


class ServiceManager:
    """The manager that started this daemon; without one, telling it things does nothing."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        ours = environ.get("WATCHDOG_PID", "") in {"", str(os.getpid())}
        timeout = environ.get("WATCHDOG_USEC", "") if ours else ""
        self._watchdog_secs = int(timeout) / 1_000_000 if timeout.isdecimal() else 0.0

    def tell(self, *assignments: str) -> None:
        """Send assignments such as `READY=1`; a manager that doesn't listen is ignored."""
        if not self._address.startswith(("/", "@")):
            return
        address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender,
        ):
            sender.sendto("\n".join(assignments).encode(), address)

    async def keep_alive(self, engine: Engine) -> None:
        """Ping the watchdog, each time through the engine: what is told is that it still works."""
        while self._watchdog_secs:
            await trio.sleep(self._watchdog_secs / 3)
            engine.dispatch(TimeElapsed())
            self.tell("WATCHDOG=1")
