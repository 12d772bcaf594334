"""The watcher that listens to logind on the system bus and to screen savers on the session bus."""

import logging
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NoReturn

import trio

from antidriftd.adapters.presence.port import PresenceSink
from antidriftd.adapters.presence.sight import Sight
from antidriftd.dbus.addresses import BusKind, socket_path
from antidriftd.dbus.errors import BusError

if TYPE_CHECKING:  # it brings jeepney
    from antidriftd.adapters.presence.attendance import Source

_log = logging.getLogger(__name__)

_START_SECS: Final = 0.5
"""How long the rest of the daemon has the machine for itself: jeepney takes half a start."""

_FIRST_WAIT_SECS: Final = 0.5
_LONGEST_WAIT_SECS: Final = 60.0

_UNSEEN: Final[Mapping[BusKind, str]] = MappingProxyType(
    {
        "system": "neither sleep nor a session that is locked will be noticed",
        "session": "no active screen saver will be noticed",
    }
)


class DesktopPresenceWatcher:
    """Holds a connection to each bus, and is woken up by nothing but what is told there.

    A bus that is missing or lost is tried again: after half a second, then after twice as long each
    time, up to a minute. One that nobody could find is not.
    """

    def __init__(self, system_address: str, session_address: str, session_id: str) -> None:
        """Use the buses at these addresses, and the session of this id if it is logind's.

        Each may be empty.
        """
        self._system_address = system_address
        self._session_address = session_address
        self._session_id = session_id

    async def run(self, sink: PresenceSink) -> None:
        """Report to `sink` until cancelled; the log says once for each outage what isn't seen."""
        sight = Sight(sink)
        await trio.sleep(_START_SECS)
        # In a thread, so that meanwhile clients are answered.
        await trio.to_thread.run_sync(import_module, "antidriftd.dbus.bus")
        from antidriftd.adapters.presence.logind import Logind
        from antidriftd.adapters.presence.screensavers import SCREEN_SAVERS, ScreenSaver

        logind = [Logind(self._session_id, sight)]
        screen_savers = [ScreenSaver(name, sight) for name in SCREEN_SAVERS]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_keep_listening, "system", self._system_address, logind)
            nursery.start_soon(_keep_listening, "session", self._session_address, screen_savers)


async def _keep_listening(kind: BusKind, address: str, sources: "Sequence[Source]") -> NoReturn:
    outage = _Outage(kind)
    try:
        socket_path(address, kind)
    except BusError as error:
        outage.goes_on(error)
        await trio.sleep_forever()
    while True:
        try:
            await _listen(kind, address, sources, outage.ends)
        except BusError as error:
            for source in sources:
                source.lose()
            await trio.sleep(outage.goes_on(error))


async def _listen(
    kind: BusKind, address: str, sources: "Sequence[Source]", is_well: Callable[[], None]
) -> None:
    from antidriftd.adapters.presence.attendance import Attendance
    from antidriftd.dbus.bus import open_bus

    async with open_bus(address, kind) as bus:
        attendance = Attendance(bus, sources)
        await attendance.begin()
        is_well()
        await attendance.go_on()


class _Outage:
    """How long a bus has been of no use, counted in attempts."""

    def __init__(self, kind: BusKind) -> None:
        self._kind = kind
        self._wait_secs = 0.0

    def goes_on(self, error: BusError) -> float:
        """Return how long to wait until the next attempt; the log is told at the first."""
        if not self._wait_secs:
            _log.info("%s: %s", _UNSEEN[self._kind], error)
        self._wait_secs = min(max(_FIRST_WAIT_SECS, 2 * self._wait_secs), _LONGEST_WAIT_SECS)
        return self._wait_secs

    def ends(self) -> None:
        """Take in that the bus is of use."""
        self._wait_secs = 0.0
