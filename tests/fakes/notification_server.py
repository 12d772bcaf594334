"""A program that shows notifications, as far as a bus can tell."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import trio
from jeepney.bus_messages import message_bus
from jeepney.io.trio import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields, Message, MessageType
from jeepney.wrappers import DBusAddress, new_error, new_method_return, new_signal

from tests.waiting import wait_until

NAME = "org.freedesktop.Notifications"
EMITTER = DBusAddress("/org/freedesktop/Notifications", interface=NAME)

GNOME = ("actions", "body", "body-markup", "icon-static", "persistence", "sound")
"""What GNOME Shell says it can."""
PLAIN = ("body",)

Mood = Literal["silent", "refusing", "confused"]
"""Silent: it doesn't answer before it relents. Refusing: it answers with errors, in which it says
again what it was told. Confused: it answers with something else."""

METHODS = ("GetServerInformation", "GetCapabilities", "Notify", "CloseNotification")

_ALLOW_REPLACEMENT, _REPLACE, _DO_NOT_QUEUE = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A call of `Notify`: its arguments, who sent it, and the number it was given."""

    client: str
    number: int
    app_name: str
    replaces: int
    summary: str
    body: str
    actions: Mapping[str, str]
    hints: Mapping[str, tuple[str, Any]]
    expire_timeout: int


@dataclass(slots=True)
class FakeNotificationServer:
    """Answers as the Desktop Notifications Specification says, or as a test says."""

    connection: DBusConnection
    capabilities: list[str]
    calls: list[str] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    """All that was ever shown, in order."""
    closed: list[int] = field(default_factory=list)
    """The numbers that were withdrawn, in order."""
    screen: dict[int, Shown] = field(default_factory=dict)
    """What is shown now."""
    _moods: dict[str, Mood] = field(default_factory=dict)
    _held: list[Message] = field(default_factory=list)

    @property
    def unique_name(self) -> str:
        """The name that the bus gave it."""
        return str(self.connection.unique_name)

    @property
    def front(self) -> Shown:
        """The only notification on the screen."""
        (only,) = self.screen.values()
        return only

    async def wait_shown(self, count: int = 1) -> Shown:
        """Wait until `count` notifications were shown in all, and return the newest."""
        await wait_until(lambda: len(self.shown) >= count)
        return self.shown[-1]

    async def wait_called(self, method: str, count: int = 1) -> None:
        """Wait until a method was called so often, answered or not."""
        await wait_until(lambda: self.calls.count(method) >= count)

    async def wait_empty(self) -> None:
        """Wait until nothing is on the screen."""
        await wait_until(lambda: not self.screen)

    async def invoke(self, number: int, key: str) -> None:
        """Choose something in a notification; that closes it."""
        await self.signal("ActionInvoked", "us", number, key)
        await self.close(number, reason=2)

    async def close(self, number: int, *, reason: int = 2) -> None:
        """Close a notification: 1 it expired, 2 it was dismissed, 3 it was withdrawn."""
        self.screen.pop(number, None)
        await self.signal("NotificationClosed", "uu", number, reason)

    async def signal(self, name: str, signature: str, *body: object) -> None:
        """Emit a signal to whoever listens."""
        await self.connection.send(new_signal(EMITTER, name, signature, body))

    def turn(self, mood: Mood, *methods: str) -> None:
        """Be in this mood when these methods are called, or whichever is."""
        self._moods.update(dict.fromkeys(methods or METHODS, mood))

    async def relent(self) -> None:
        """Answer what was left unanswered, and all that comes."""
        self._moods.clear()
        held, self._held = self._held, []
        for call in held:
            await self._answer(call)

    async def serve(self, task_status: trio.TaskStatus[None]) -> None:
        """Take the name, then answer until the connection ends."""
        flags = _ALLOW_REPLACEMENT | _REPLACE | _DO_NOT_QUEUE
        await self.connection.send(message_bus.RequestName(NAME, flags))
        try:
            while True:
                message = await self.connection.receive()
                if message.header.message_type is MessageType.method_return:
                    task_status.started()
                elif message.header.message_type is MessageType.method_call:
                    await self._take(message)
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass  # the bus is gone

    async def _take(self, call: Message) -> None:
        method = call.header.fields[HeaderFields.member]
        self.calls.append(method)
        match self._moods.get(method):
            case None:
                await self._answer(call)
            case "silent":
                self._held.append(call)
            case "refusing":
                told = (repr(call.body),)
                await self.connection.send(new_error(call, "org.example.Error.Refused", "s", told))
            case "confused":
                await self.connection.send(new_method_return(call, "d", (0.5,)))

    async def _answer(self, call: Message) -> None:
        match call.header.fields[HeaderFields.member]:
            case "GetServerInformation":
                about = ("fake", "Antidrift", "1.0", "1.2")
                await self.connection.send(new_method_return(call, "ssss", about))
            case "GetCapabilities":
                await self.connection.send(new_method_return(call, "as", (self.capabilities,)))
            case "Notify":
                number = self._show(call)
                await self.connection.send(new_method_return(call, "u", (number,)))
            case "CloseNotification":
                await self._withdraw(call)

    def _show(self, call: Message) -> int:
        app_name, replaces, _, summary, body, actions, hints, expire_timeout = call.body
        number = replaces if replaces in self.screen else len(self.shown) + 1
        shown = Shown(
            client=call.header.fields[HeaderFields.sender],
            number=number,
            app_name=app_name,
            replaces=replaces,
            summary=summary,
            body=body,
            actions=dict(zip(actions[::2], actions[1::2], strict=True)),
            hints=hints,
            expire_timeout=expire_timeout,
        )
        self.shown.append(shown)
        self.screen[number] = shown
        return number

    async def _withdraw(self, call: Message) -> None:
        (number,) = call.body
        self.closed.append(number)
        if number not in self.screen:
            await self.connection.send(new_error(call, "org.example.Error.NoSuchNotification"))
            return
        await self.close(number, reason=3)
        await self.connection.send(new_method_return(call))


@asynccontextmanager
async def open_server(
    address: str, capabilities: Iterable[str] = GNOME
) -> AsyncIterator[FakeNotificationServer]:
    """Yield a server that owns the name on the bus at `address`; at the end it is gone."""
    async with (
        await open_dbus_connection(address) as connection,
        trio.open_nursery() as nursery,
    ):
        server = FakeNotificationServer(connection, list(capabilities))
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()
