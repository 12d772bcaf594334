"""The one notification on the screen, for as long as a connection to the bus lasts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

import trio

from antidriftd.adapters.notifications.port import NotificationSink
from antidriftd.adapters.notifications.text import LABELS, text_of
from antidriftd.core.model import Notification
from antidriftd.dbus.bus import BUS, Bus, Call, Peer, Signal, open_bus
from antidriftd.dbus.errors import BadReply, BusError
from protocol.visible import one_line

NOTIFICATIONS: Final = Peer(
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
    "the program that shows notifications",
)
"""Whoever shows notifications (Desktop Notifications Specification 1.2, "D-Bus Protocol")."""

_RULES: Final = (
    f"type='signal',sender='{NOTIFICATIONS.name}',interface='{NOTIFICATIONS.interface}'",
    f"type='signal',sender='{BUS.name}',member='NameOwnerChanged',arg0='{NOTIFICATIONS.name}'",
)
_HINTS: Final = {"urgency": ("y", 1), "desktop-entry": ("s", "antidrift")}
_AS_LONG_AS_THE_SERVER_LIKES: Final = -1
_FAREWELL_SECS: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Server:
    """The program that shows notifications, and what it can do.

    It is addressed by its unique name, so that it isn't mistaken for one that takes its place.
    """

    peer: Peer
    capabilities: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A notification that a server was asked to show, in this call."""

    notification: Notification
    server: _Server
    call: Call


@dataclass(frozen=True, slots=True)
class _Shown:
    """A notification on the screen, and the number that its server knows it by."""

    notification: Notification
    server: _Server
    number: int


class Bubble:
    """Shows one notification at a time and hears what becomes of it."""

    def __init__(self, bus: Bus, sink: NotificationSink) -> None:
        self._bus = bus
        self._sink = sink
        self._server: _Server | None = None
        self._asked: _Asked | None = None
        self._shown: _Shown | None = None
        self._listening = trio.CancelScope()
        bus.on_signal = self._hear

    @property
    def is_up(self) -> bool:
        """Whether something is on the screen, as far as is known."""
        return self._shown is not None

    async def show(self, notification: Notification) -> None:
        """Show this in place of what is shown.

        Raises:
            BusError: it couldn't be shown.
        """
        server = self._server = self._server or await _meet(self._bus)
        text = text_of(notification, server.capabilities)
        replaced = self._shown.number if self._shown and self._shown.server is server else 0
        call = await self._bus.send(
            server.peer,
            "Notify",
            "susssasa{sv}i",
            (
                *("Antidrift", replaced, "", text.summary, text.body, list(text.actions)),
                *(_HINTS, _AS_LONG_AS_THE_SERVER_LIKES),
            ),
        )
        self._asked = _Asked(notification, server, call)
        await self._learn_number(self._asked)

    async def withdraw(self) -> None:
        """Take away what is shown, or is about to be.

        Raises:
            BusError: whoever shows it does not answer.
        """
        if self._asked:
            await self._learn_number(self._asked)
        if self._shown:
            peer, number = self._shown.server.peer, self._shown.number
            call = await self._bus.send(peer, "CloseNotification", "u", (number,))
            with suppress(BadReply):  # it was gone already
                await self._bus.reply(call, tuple[()])
            self._shown = None

    async def wait_gone(self) -> None:
        """Return once nothing is shown any more.

        Raises:
            BusError: the connection to the bus is lost.
        """
        with trio.CancelScope() as self._listening:
            if self._shown:
                await self._bus.listen()

    async def _learn_number(self, asked: _Asked) -> None:
        try:
            reply = await self._bus.reply(asked.call, tuple[int])
        except BadReply:
            self._asked = None
            raise
        self._asked = None
        self._shown = _Shown(asked.notification, asked.server, reply.body[0])

    def _hear(self, signal: Signal) -> None:
        """Take in what anybody on the bus tells: only those who may say so are believed."""
        shown = self._shown
        match signal:
            case Signal(sender=BUS.name, member="NameOwnerChanged"):
                self._server = None
                self._forget()
            case Signal(interface=NOTIFICATIONS.interface, sender=sender):
                if shown and shown.server.peer.name == sender:
                    self._hear_of(shown, signal)
            case _:
                pass

    def _hear_of(self, shown: _Shown, signal: Signal) -> None:
        match signal:
            case Signal(member="NotificationClosed", body=(shown.number, _)):
                self._forget()
            case Signal(member="ActionInvoked", body=(shown.number, str(key))):
                for choice in LABELS[shown.notification.about]:
                    if choice == key:
                        # Its server closes it: it isn't `resident` (the specification, "Hints").
                        self._forget()
                        self._sink.notification_answered(shown.notification.id, choice)
            case _:
                pass

    def _forget(self) -> None:
        self._shown = None
        self._listening.cancel()


@asynccontextmanager
async def open_bubble(address: str, sink: NotificationSink) -> AsyncIterator[Bubble]:
    """Connect to the bus at `address`; at the end, nothing is left on the screen.

    That takes up to a second, even when cancelled.

    Raises:
        BusError: there is no bus, or it does not answer.
    """
    async with open_bus(address, "session") as bus:
        bubble = Bubble(bus, sink)
        try:
            yield bubble
        finally:
            with (
                trio.move_on_after(_FAREWELL_SECS, shield=True),
                suppress(BusError),
            ):
                await bubble.withdraw()


async def server_name(address: str) -> str:
    """Return name and version of the program that shows notifications.

    Raises:
        BusError: there is none, or no bus.
    """
    async with open_bus(address, "session") as bus:
        call = await bus.send(NOTIFICATIONS, "GetServerInformation")
        name, _, version, _ = (await bus.reply(call, tuple[str, str, str, str])).body
        return one_line(f"{name} {version}")


async def _meet(bus: Bus) -> _Server:
    """Return the program that shows notifications; the bus starts one if it can."""
    for rule in _RULES:
        await bus.reply(await bus.send(BUS, "AddMatch", "s", (rule,)), tuple[()])
    reply = await bus.reply(await bus.send(NOTIFICATIONS, "GetCapabilities"), tuple[list[str]])
    return _Server(replace(NOTIFICATIONS, name=reply.sender), frozenset(reply.body[0]))
