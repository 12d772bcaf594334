"""A screen saver, as far as a bus can tell."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.fakes.bus_program import Answer, Asked, BusProgram, open_program


def path_of(name: str) -> str:
    """Return the path that belongs to a name."""
    return "/" + name.replace(".", "/")


@dataclass(slots=True)
class FakeScreenSaver:
    """One of this name, which is that of its interface too."""

    name: str
    path: str
    active: bool
    program: BusProgram = field(init=False)

    async def turn(self, active: bool) -> None:
        """Come to the screen, or go."""
        self.active = active
        await self.program.signal(self.path, self.name, "ActiveChanged", "b", active)

    def answer(self, asked: Asked) -> Answer | None:
        """Return the answer to a call; None for an error."""
        match asked:
            case Asked(path=self.path, interface=self.name, method="GetActive"):
                return "b", (self.active,)
            case _:
                return None


@asynccontextmanager
async def open_screen_saver(
    address: str, name: str, *, active: bool = False, path: str = ""
) -> AsyncIterator[FakeScreenSaver]:
    """Yield a screen saver on the bus at `address`; at the end it is gone."""
    saver = FakeScreenSaver(name, path or path_of(name), active)
    async with open_program(address, name, saver.answer) as saver.program:
        yield saver
