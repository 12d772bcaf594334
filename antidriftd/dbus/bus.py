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

from antidriftd.dbus.addresses import BusKind, socket_path
from antidriftd.dbus.errors import BadReply, BusError, NoAnswer, NobodyThere, NoBus
from protocol.visible import one_line

ANSWER_SECS: Final = 2.0
"""How long the bus, or a program on it, may take to answer."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Peer:
    """An object of a program on the bus, with one of its interfaces.

    `who` is what a person is told of when it fails: "the program that…".
    """

    name: str
    path: str
    interface: str
    who: str


@dataclass(frozen=True, slots=True)
class Signal:
    """What a program on the bus told; `sender` is its unique name, which the bus vouches for."""

    sender: str
    path: str
    interface: str
    member: str
    body: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call under way, by whose number the answer is known."""

    peer: Peer
    serial: int


@dataclass(frozen=True, slots=True)
class Reply(Generic[_T]):
    """The answer to a call, and the unique name of who gave it."""

    sender: str
    body: _T


BUS: Final = Peer(
    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "the message bus"
)


class Bus:
    """A connection, used by one task at a time."""

    def __init__(self, connection: DBusConnection, kind: BusKind) -> None:
        self._connection = connection
        self._kind = kind
        self.on_signal: Callable[[Signal], None] = lambda _: None
        """Called for whatever signal comes."""

    async def send(
        self, peer: Peer, method: str, signature: str | None = None, body: tuple[object, ...] = ()
    ) -> Call:
        """Send a call, whose answer `reply` returns.

        Raises:
            NoBus: the connection is lost, or stuck for 2 seconds.
        """
        address = DBusAddress(peer.path, bus_name=peer.name, interface=peer.interface)
        serial = int(next(self._connection.outgoing_serial))
        call = new_method_call(address, method, signature, body)
        with _deadline(f"the {self._kind} bus", NoBus), _lost_connection_told(self._kind):
            await self._connection.send(call, serial=serial)
        return Call(peer, serial)

    async def reply(self, call: Call, returns: type[_T]) -> Reply[_T]:
        """Return the answer to a call, handing on the signals that come before it.

        Raises:
            BadReply: it is an error, or not of the type `returns`.
            NoAnswer: none came within 2 seconds.
            NoBus: the connection is lost.
        """
        with _deadline(call.peer.who, NoAnswer):
            while True:
                message = await self._receive()
                if message.header.fields.get(HeaderFields.reply_serial) == call.serial:
                    return _checked(message, call.peer.who, returns)
                self._hand_on(message)

    async def listen(self) -> NoReturn:
        """Hand on signals until cancelled.

        Raises:
            NoBus: the connection is lost.
        """
        while True:
            self._hand_on(await self._receive())

    async def _receive(self) -> Message:
        with _lost_connection_told(self._kind):
            return await self._connection.receive()

    def _hand_on(self, message: Message) -> None:
        if message.header.message_type is MessageType.signal:
            fields = message.header.fields
            self.on_signal(
                Signal(
                    sender=fields.get(HeaderFields.sender, ""),
                    path=fields.get(HeaderFields.path, ""),
                    interface=fields.get(HeaderFields.interface, ""),
                    member=fields.get(HeaderFields.member, ""),
                    body=tuple(message.body),
                )
            )


@asynccontextmanager
async def open_bus(address: str, kind: BusKind) -> AsyncIterator[Bus]:
    """Connect to the bus at `address`.

    jeepney's own way leaves a socket behind when the bus hangs, and spins when it goes away before
    it has said hello.

    Raises:
        NoBus: there is none, or it does not answer.
    """
    path = socket_path(address, kind)
    try:
        with _deadline(f"the {kind} bus", NoBus):
            stream = await trio.open_unix_socket(path)
    except OSError as error:
        raise NoBus(
            f"no {kind} bus answers at {one_line(address)}: {error.strerror or error}; "
            "is dbus-daemon running?"
        ) from error
    async with stream:
        bus = Bus(DBusConnection(stream.socket), kind)
        with _deadline(f"the {kind} bus", NoBus):
            await _authenticate(stream, kind)
            await bus.reply(await bus.send(BUS, "Hello"), tuple[str])
        yield bus


async def _authenticate(stream: trio.SocketStream, kind: BusKind) -> None:
    authenticator = Authenticator()
    with _lost_connection_told(kind):
        for request in authenticator:
            await stream.send_all(request)
            answer = await stream.receive_some()
            if not answer:
                raise trio.EndOfChannel
            authenticator.feed(answer)
        await stream.send_all(BEGIN)


@contextmanager
def _deadline(who: str, failure: type[BusError]) -> Iterator[None]:
    try:
        with trio.fail_after(ANSWER_SECS):
            yield
    except trio.TooSlowError:
        raise failure(f"{who} did not answer within {ANSWER_SECS:g} seconds") from None


@contextmanager
def _lost_connection_told(kind: BusKind) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # jeepney raises whatever a broken message leads it to
        raise NoBus(f"the connection to the {kind} bus is lost ({type(error).__name__})") from error


def _checked(message: Message, who: str, returns: type[_T]) -> Reply[_T]:
    sender = message.header.fields.get(HeaderFields.sender, "")
    if message.header.message_type is MessageType.error:
        raise _refusal(who, message.header.fields.get(HeaderFields.error_name, ""))
    try:
        return Reply(sender, msgspec.convert(message.body, returns))
    except msgspec.ValidationError:
        raise BadReply(f"{who} gave an answer of the wrong shape") from None


def _refusal(who: str, error_name: str) -> BadReply:
    """Only the name is told: the text of an error may repeat the title of a window."""
    if error_name.rpartition(".")[2] in {"ServiceUnknown", "NameHasNoOwner"}:
        return NobodyThere(f"{who} does not run")
    return BadReply(f"{who} refused: {one_line(error_name)}")
