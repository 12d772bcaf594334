"""What logind tells: whether the machine is about to sleep, and whether our session is locked.

Everything here is from org.freedesktop.login1(5). Locking programs set `LockedHint`; `Lock` and
`Unlock` are only wishes.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from antidriftd.adapters.presence.sight import Sight
from antidriftd.dbus.bus import Bus, Peer, Signal
from antidriftd.dbus.errors import BadReply

LOGIND: Final = Peer(
    "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "logind"
)
_SESSION: Final = "org.freedesktop.login1.Session"
_USER: Final = "org.freedesktop.login1.User"
_PROPERTIES: Final = "org.freedesktop.DBus.Properties"
_NO_SESSION: Final = ""


class Logind:
    """Tells what logind knows of the machine and of our session."""

    def __init__(self, session_id: str, sight: Sight) -> None:
        """Prefer the session of this id, which may be empty, or of the past."""
        self._session_id = session_id
        self._sight = sight
        self._session = _NO_SESSION

    @property
    def name(self) -> str:
        """Its name on the bus."""
        return LOGIND.name

    @property
    def rules(self) -> Sequence[str]:
        """The signals of sleep, of sessions that come and go, and of what changes in one."""
        ours = f"type='signal',sender='{LOGIND.name}'"
        manager = f"{ours},path='{LOGIND.path}',interface='{LOGIND.interface}'"
        changed = f"{ours},interface='{_PROPERTIES}',member='PropertiesChanged'"
        members = ("PrepareForSleep", "SessionNew", "SessionRemoved")
        return (
            *(f"{manager},member='{member}'" for member in members),
            f"{changed},arg0='{_SESSION}'",
        )

    async def ask(self, bus: Bus, owner: str) -> None:
        """Find our session, and ask whether it is locked and the machine about to sleep.

        Raises:
            BusError: the connection is lost, or logind hangs.
        """
        logind = replace(LOGIND, name=owner)
        self._session = await self._find_session(bus, logind)
        is_locked = False
        if self._session:
            session = replace(logind, path=self._session, interface=_SESSION)
            is_locked = await _is_set(bus, session, "LockedHint")
        self._sight.locked(LOGIND.name, is_locked)
        self._sight.asleep(await _is_set(bus, logind, "PreparingForSleep"))

    def hear(self, signal: Signal) -> bool:
        """Take in what changed; sessions that come or go may make another one ours."""
        match signal:
            case Signal(interface=LOGIND.interface, member="PrepareForSleep", body=(bool(sleeps),)):
                self._sight.asleep(sleeps)
            case Signal(interface=LOGIND.interface, member="SessionNew" | "SessionRemoved"):
                return True
            case Signal(path=self._session, member="PropertiesChanged", body=body):
                return self._hear_of_session(body)
            case _:
                pass
        return False

    def lose(self) -> None:
        """Take in that logind is gone."""
        self._session = _NO_SESSION
        self._sight.locked(LOGIND.name, False)
        self._sight.asleep(False)

    def _hear_of_session(self, changed: tuple[object, ...]) -> bool:
        match changed:
            case (_, {"LockedHint": (_, bool(locked))}, _):
                self._sight.locked(LOGIND.name, locked)
            case (_, _, [*invalidated]):
                return "LockedHint" in invalidated
            case _:
                pass
        return False

    async def _find_session(self, bus: Bus, logind: Peer) -> str:
        """Return the path of our session; empty when there is none yet.

        A service of the user belongs to no session; then it is the one that logind holds to be the
        user's desktop.
        """
        if self._session_id:
            call = await bus.send(logind, "GetSession", "s", (self._session_id,))
            with suppress(BadReply):
                return (await bus.reply(call, tuple[str])).body[0]
        call = await bus.send(logind, "GetSessionByPID", "u", (os.getpid(),))
        with suppress(BadReply):
            return (await bus.reply(call, tuple[str])).body[0]
        return await _display(bus, logind)


async def _display(bus: Bus, logind: Peer) -> str:
    """Return the path of the user's session with a display; empty when there is none."""
    call = await bus.send(logind, "GetUser", "u", (os.getuid(),))
    with suppress(BadReply):
        user = replace(logind, path=(await bus.reply(call, tuple[str])).body[0])
        call = await bus.send(replace(user, interface=_PROPERTIES), "Get", "ss", (_USER, "Display"))
        reply = await bus.reply(call, tuple[tuple[str, tuple[str, str]]])
        ((_, (session_id, path)),) = reply.body
        return path if session_id else _NO_SESSION
    return _NO_SESSION


async def _is_set(bus: Bus, peer: Peer, name: str) -> bool:
    """Return a property of an object; one that can't be had counts as false."""
    body = (peer.interface, name)
    call = await bus.send(replace(peer, interface=_PROPERTIES), "Get", "ss", body)
    with suppress(BadReply):
        ((_, value),) = (await bus.reply(call, tuple[tuple[str, bool]])).body
        return value
    return False
