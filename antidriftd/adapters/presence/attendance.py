"""Listens to programs on a bus by name, whoever has the name and whenever they come and go."""

from collections.abc import Iterator, Sequence
from typing import NoReturn, Protocol

import trio

from antidriftd.dbus.bus import BUS, Bus, Signal
from antidriftd.dbus.errors import NobodyThere


class Source(Protocol):
    """A program that tells something; all it tells comes from whoever has its name."""

    @property
    def name(self) -> str:
        """Its name on the bus."""

    @property
    def rules(self) -> Sequence[str]:
        """The signals to hear, as the match rules of the D-Bus Specification."""

    async def ask(self, bus: Bus, owner: str) -> None:
        """Learn how things are now from `owner`, which is the unique name of who has the name.

        Raises:
            BusError: the connection is of no use any more.
        """

    def hear(self, signal: Signal) -> bool:
        """Take in what it tells; return whether it is to be asked anew."""

    def lose(self) -> None:
        """Take in that it tells nothing any more."""


class Attendance:
    """A connection's attention to some sources; it never has the bus start one of them."""

    def __init__(self, bus: Bus, sources: Sequence[Source]) -> None:
        self._bus = bus
        self._sources = {source.name: source for source in sources}
        self._owners: dict[str, str] = {}
        self._unasked = list(self._sources)
        self._listening = trio.CancelScope()
        bus.on_signal = self._hear

    async def begin(self) -> None:
        """Return once all sources have been asked.

        Raises:
            BusError: the connection is of no use.
        """
        for rule in self._rules():
            await self._bus.reply(await self._bus.send(BUS, "AddMatch", "s", (rule,)), tuple[()])
        await self._ask()

    async def go_on(self) -> NoReturn:
        """Pass on what the sources tell, until cancelled.

        Raises:
            BusError: the connection is of no use any more.
        """
        while True:
            with trio.CancelScope() as self._listening:
                await self._bus.listen()
            await self._ask()

    def _rules(self) -> Iterator[str]:
        for source in self._sources.values():
            yield (
                f"type='signal',sender='{BUS.name}',interface='{BUS.interface}',"
                f"member='NameOwnerChanged',arg0='{source.name}'"
            )
            yield from source.rules

    async def _ask(self) -> None:
        while self._unasked:
            source = self._sources[self._unasked.pop(0)]
            owner = self._owners[source.name] = await _owner(self._bus, source.name)
            if owner:
                await source.ask(self._bus, owner)
            else:
                source.lose()

    def _hear(self, signal: Signal) -> None:
        """Take in what anybody on the bus tells: only those who may say so are believed."""
        match signal:
            case Signal(sender=BUS.name, member="NameOwnerChanged", body=(str(name), _, _)):
                self._ask_soon(name)
            case _:
                for name, owner in self._owners.items():
                    if owner == signal.sender and self._sources[name].hear(signal):
                        self._ask_soon(name)

    def _ask_soon(self, name: str) -> None:
        if name in self._sources and name not in self._unasked:
            self._unasked.append(name)
            self._listening.cancel()


async def _owner(bus: Bus, name: str) -> str:
    """Return the unique name of who has a name; empty for nobody."""
    call = await bus.send(BUS, "GetNameOwner", "s", (name,))
    try:
        return (await bus.reply(call, tuple[str])).body[0]
    except NobodyThere:
        return ""
