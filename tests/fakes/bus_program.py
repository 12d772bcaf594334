"""A program with a name on a bus, that answers as a test says."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import trio
from jeepney.bus_messages import message_bus
from jeepney.io.trio import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields, Message, MessageType
from jeepney.wrappers import DBusAddress, new_error, new_method_return, new_signal

from tests.waiting import wait_until

Answer: TypeAlias = tuple[str, tuple[Any, ...]]
"""A signature and what it describes."""

Mood = Literal["well", "silent", "refusing", "confused"]
"""Silent: it answers nothing. Refusing: only with errors. Confused: with something else."""

_ALLOW_REPLACEMENT, _REPLACE, _DO_NOT_QUEUE = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Asked:
    """A call: by whom, of what, with which arguments."""

    client: str
    path: str
    interface: str
    method: str
    body: tuple[Any, ...]


@dataclass(slots=True)
class BusProgram:
    """Answers calls; `answer` returns None for what is an error."""

    connection: DBusConnection
    answer: Callable[[Asked], Answer | None]
    mood: Mood = "well"
    asked: list[Asked] = field(default_factory=list)

    async def wait_asked(self, *words: str, count: int = 1) -> Asked:
        """Wait until it was asked so often in these words, and return the last such call."""

        def calls() -> list[Asked]:
            return [
                asked for asked in self.asked if {*words} <= {asked.method, *map(str, asked.body)}
            ]

        await wait_until(lambda: len(calls()) >= count)
        return calls()[-1]

    async def signal(
        self,
        path: str,
        interface: str,
        member: str,
        signature: str,
        *body: object,
        destination: str = "",
    ) -> None:
        """Emit a signal to whoever listens, or to one program only."""
        signal = new_signal(DBusAddress(path, interface=interface), member, signature, body)
        if destination:
            signal.header.fields[HeaderFields.destination] = destination
        await self.connection.send(signal)

    async def serve(self, name: str, task_status: trio.TaskStatus[None]) -> None:
        """Take the name, if there is one, then answer until the connection ends."""
        if name:
            flags = _ALLOW_REPLACEMENT | _REPLACE | _DO_NOT_QUEUE
            await self.connection.send(message_bus.RequestName(name, flags))
        else:
            task_status.started()
        try:
            while True:
                message = await self.connection.receive()
                if message.header.message_type is MessageType.method_return and name:
                    task_status.started()
                elif message.header.message_type is MessageType.method_call:
                    await self._take(message)
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass  # the bus is gone

    async def _take(self, call: Message) -> None:
        fields = call.header.fields
        asked = Asked(
            client=fields[HeaderFields.sender],
            path=fields[HeaderFields.path],
            interface=fields[HeaderFields.interface],
            method=fields[HeaderFields.member],
            body=tuple(call.body),
        )
        self.asked.append(asked)
        answer = self.answer(asked)
        match self.mood:
            case "well" if answer is not None:
                await self.connection.send(new_method_return(call, *answer))
            case "well" | "refusing":
                await self.connection.send(new_error(call, "org.example.Error.Refused"))
            case "confused":
                await self.connection.send(new_method_return(call, "d", (0.5,)))
            case "silent":
                pass


@asynccontextmanager
async def open_program(
    address: str, name: str, answer: Callable[[Asked], Answer | None]
) -> AsyncIterator[BusProgram]:
    """Yield a program that has `name` on the bus at `address`; at the end it is gone."""
    async with (
        await open_dbus_connection(address) as connection,
        trio.open_nursery() as nursery,
    ):
        program = BusProgram(connection, answer)
        await nursery.start(program.serve, name)
        yield program
        nursery.cancel_scope.cancel()
