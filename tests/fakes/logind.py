"""logind, as far as one can tell who watches for sleep and locks: org.freedesktop.login1(5)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.bus_program import Answer, Asked, BusProgram, open_program

NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = "org.freedesktop.login1.Manager"
SESSION = "org.freedesktop.login1.Session"
PROPERTIES = "org.freedesktop.DBus.Properties"
_USER_PATH = f"{PATH}/user/_1000"


def session_path(session_id: str) -> str:
    """Return the path of a session's object."""
    return f"{PATH}/session/_3{session_id}"


@dataclass(slots=True)
class Machine:
    """What a logind knows; it outlives the one that knows it."""

    sessions: dict[str, bool] = field(default_factory=lambda: {"2": False})
    """The sessions and whether each is locked."""
    session_of_callers: str = ""
    """The session that every caller is in; empty: none, as for a user's service."""
    display: str = "2"
    """The session that is the user's desktop; empty: none."""
    is_preparing_for_sleep: bool = False

    def answer(self, asked: Asked) -> Answer | None:
        """Return the answer to a call; None for an error."""
        match asked:
            case Asked(path="/org/freedesktop/login1", interface="org.freedesktop.login1.Manager"):
                return self._manage(asked)
            case Asked(interface="org.freedesktop.DBus.Properties", method="Get"):
                value = self._value(asked)
                return None if value is None else ("v", (value,))
            case _:
                return None

    def _manage(self, asked: Asked) -> Answer | None:
        match asked:
            case Asked(method="GetSession", body=(session_id,)) if session_id in self.sessions:
                return "o", (session_path(session_id),)
            case Asked(method="GetSessionByPID") if self.session_of_callers in self.sessions:
                return "o", (session_path(self.session_of_callers),)
            case Asked(method="GetUser"):
                return "o", (_USER_PATH,)
            case _:
                return None

    def _value(self, asked: Asked) -> tuple[str, Any] | None:
        paths = {session_path(session_id): session_id for session_id in self.sessions}
        match asked.body:
            case ("org.freedesktop.login1.Manager", "PreparingForSleep") if asked.path == PATH:
                return "b", self.is_preparing_for_sleep
            case ("org.freedesktop.login1.User", "Display") if asked.path == _USER_PATH:
                path = session_path(self.display) if self.display else "/"
                return "(so)", (self.display, path)
            case ("org.freedesktop.login1.Session", "LockedHint") if asked.path in paths:
                return "b", self.sessions[paths[asked.path]]
            case _:
                return None


@dataclass(slots=True)
class FakeLogind:
    """A logind on a bus."""

    program: BusProgram
    machine: Machine

    async def lock(self, locked: bool = True, session_id: str = "2") -> None:
        """Lock a session, or unlock it."""
        self.machine.sessions[session_id] = locked
        await self._changed(session_id, {"LockedHint": ("b", locked)}, [])

    async def lock_without_saying(self, locked: bool = True, session_id: str = "2") -> None:
        """Lock a session, or unlock it, and tell only that something changed."""
        self.machine.sessions[session_id] = locked
        await self._changed(session_id, {}, ["LockedHint"])

    async def sleep(self, sleeps: bool = True) -> None:
        """Tell that the machine is about to sleep, or awake again."""
        self.machine.is_preparing_for_sleep = sleeps
        await self.program.signal(PATH, MANAGER, "PrepareForSleep", "b", sleeps)

    async def add_session(self, session_id: str, locked: bool = False) -> None:
        """Begin a session, which becomes the user's desktop."""
        self.machine.sessions[session_id] = locked
        self.machine.display = session_id
        told = (session_id, session_path(session_id))
        await self.program.signal(PATH, MANAGER, "SessionNew", "so", *told)

    async def remove_session(self, session_id: str) -> None:
        """End a session; the user has no desktop then."""
        del self.machine.sessions[session_id]
        self.machine.display = ""
        told = (session_id, session_path(session_id))
        await self.program.signal(PATH, MANAGER, "SessionRemoved", "so", *told)

    async def _changed(
        self, session_id: str, new: dict[str, tuple[str, Any]], invalidated: list[str]
    ) -> None:
        path = session_path(session_id)
        told = (SESSION, new, invalidated)
        await self.program.signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", *told)


@asynccontextmanager
async def open_logind(address: str, machine: Machine | None = None) -> AsyncIterator[FakeLogind]:
    """Yield a logind on the bus at `address`."""
    machine = machine or Machine()
    async with open_program(address, NAME, machine.answer) as program:
        yield FakeLogind(program, machine)
