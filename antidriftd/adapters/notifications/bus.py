"""A connection to a D-Bus message bus; all that is said here to jeepney, which has no types.

One task sends and receives, so signals and replies are taken in the order in which they came: what
was clicked before a bubble was replaced is never taken for a click on its successor.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeVar

import msgspec
import trio
from jeepney.auth import BEGIN, Authenticator
from jeepney.io.trio import DBusConnection
from jeepney.low_level import HeaderFields, Message, MessageType
from jeepney.wrappers import DBusAddress, new_method_call

from antidriftd.adapters.notifications.port import NotificationError
from antidriftd.adapters.notifications.session_bus import socket_path
from protocol.visible import one_line

ANSWER_SECS: Final = 2.0
"""How long the bus, or a program on it, may take to answer."""

_T = TypeVar("_T")


class BadReply(NotificationError):
    """An answer came, and it was an error or of the wrong shape."""


@dataclass(frozen=True, slots=True)
class Peer:
    """An object of a program on the bus, with one of its interfaces."""

    name: str
    path: str
    interface: str


@dataclass(frozen=True, slots=True)
class Signal:
    """What a program on the bus told; `sender` is its unique name, which the bus vouches for."""

    sender: str
    interface: str
    member: str
    body: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Reply(Generic[_T]):
    """The answer to a call, and the unique name of who gave it."""

    sender: str
    body: _T


BUS: Final = Peer("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class Bus:
    """A connection, used by one task at a time."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection
        self.on_signal: Callable[[Signal], None] = lambda _: None
        """Called for whatever signal comes."""

    async def send(
        self, peer: Peer, method: str, signature: str | None = None, body: tuple[object, ...] = ()
    ) -> int:
        """Send a call and return its number, by which `reply` knows the answer.

        Raises:
            NotificationError: the connection is lost, or stuck for 2 seconds.
        """
        address = DBusAddress(peer.path, bus_name=peer.name, interface=peer.interface)
        serial = int(next(self._connection.outgoing_serial))
        call = new_method_call(address, method, signature, body)
        with _deadline("the session bus"), _lost_connection_told():
            await self._connection.send(call, serial=serial)
        return serial

    async def reply(self, serial: int, returns: type[_T]) -> Reply[_T]:
        """Return the answer to a call, handing on the signals that come before it.

        Raises:
            BadReply: it is an error, or not of the type `returns`.
            NotificationError: none came within 2 seconds, or the connection is lost.
        """
        with _deadline("the program that shows notifications"):
            while True:
                message = await self._receive()
                if message.header.fields.get(HeaderFields.reply_serial) == serial:
                    return _checked(message, returns)
                self._hand_on(message)

    async def listen(self) -> NoReturn:
        """Hand on signals until cancelled.

        Raises:
            NotificationError: the connection is lost.
        """
        while True:
            self._hand_on(await self._receive())

    async def _receive(self) -> Message:
        with _lost_connection_told():
            return await self._connection.receive()

    def _hand_on(self, message: Message) -> None:
        if message.header.message_type is MessageType.signal:
            fields = message.header.fields
            self.on_signal(
                Signal(
                    sender=fields.get(HeaderFields.sender, ""),
                    interface=fields.get(HeaderFields.interface, ""),
                    member=fields.get(HeaderFields.member, ""),
                    body=tuple(message.body),
                )
            )


@asynccontextmanager
async def open_bus(address: str) -> AsyncIterator[Bus]:
    """Connect to the bus at `address`.

    jeepney's own way leaves a socket behind when the bus hangs, and spins when it goes away before
    it has said hello.

    Raises:
        NotificationError: there is no bus, or it does not answer.
    """
    path = socket_path(address)
    try:
        with _deadline("the session bus"):
            stream = await trio.open_unix_socket(path)
    except OSError as error:
        raise NotificationError(
            f"no session bus answers at {one_line(address)}: {error.strerror or error}; "
            "is dbus-daemon running?"
        ) from error
    async with stream:
        bus = Bus(DBusConnection(stream.socket))
        with _deadline("the session bus"):
            await _authenticate(stream)
            await bus.reply(await bus.send(BUS, "Hello"), tuple[str])
        yield bus


async def _authenticate(stream: trio.SocketStream) -> None:
    authenticator = Authenticator()
    with _lost_connection_told():
        for request in authenticator:
            await stream.send_all(request)
            answer = await stream.receive_some()
            if not answer:
                raise trio.EndOfChannel
            authenticator.feed(answer)
        await stream.send_all(BEGIN)


@contextmanager
def _deadline(who: str) -> Iterator[None]:
    try:
        with trio.fail_after(ANSWER_SECS):
            yield
    except trio.TooSlowError:
        message = f"{who} did not answer within {ANSWER_SECS:g} seconds"
        raise NotificationError(message) from None


@contextmanager
def _lost_connection_told() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # jeepney raises whatever a broken message leads it to
        raise NotificationError(
            f"the connection to the session bus is lost ({type(error).__name__})"
        ) from error


def _checked(message: Message, returns: type[_T]) -> Reply[_T]:
    sender = message.header.fields.get(HeaderFields.sender, "")
    if message.header.message_type is MessageType.error:
        raise BadReply(_why_refused(message.header.fields.get(HeaderFields.error_name, "")))
    try:
        return Reply(sender, msgspec.convert(message.body, returns))
    except msgspec.ValidationError:
        why = "the program that shows notifications gave an answer of the wrong shape"
        raise BadReply(why) from None


def _why_refused(error_name: str) -> str:
    """Only the name is told: the text of an error may repeat the title of a window."""
    if error_name.rpartition(".")[2] in {"ServiceUnknown", "NameHasNoOwner"}:
        return "no program shows notifications; install and start one, such as dunst or mako"
    return f"the program that shows notifications refused: {one_line(error_name)}"
