"""The programs of the desktop that lock the screen, as far as they have a name on the bus."""

from collections.abc import Sequence
from typing import Final

from antidriftd.adapters.presence.sight import Sight
from antidriftd.dbus.bus import Bus, Peer, Signal
from antidriftd.dbus.errors import BadReply, NoAnswer

SCREEN_SAVERS: Final = (
    "org.freedesktop.ScreenSaver",  # KDE
    "org.gnome.ScreenSaver",
    "org.cinnamon.ScreenSaver",
    "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
)
"""Their names, which are those of their interfaces too; they differ in nothing else."""


class ScreenSaver:
    """Tells whether the screen saver of this name is active."""

    def __init__(self, name: str, sight: Sight) -> None:
        self._name = name
        self._sight = sight

    @property
    def name(self) -> str:
        """Its name on the bus."""
        return self._name

    @property
    def rules(self) -> Sequence[str]:
        """The signal that it comes or goes; KDE sends it from two objects."""
        name = self._name
        return (f"type='signal',sender='{name}',interface='{name}',member='ActiveChanged'",)

    async def ask(self, bus: Bus, owner: str) -> None:
        """Ask whether it is active; one that doesn't say counts as not.

        The one of GNOME Shell under the name of freedesktop.org doesn't know, and those of MATE
        and Xfce are not always where their name says.

        Raises:
            BusError: the connection is lost.
        """
        for path in ("/" + self._name.replace(".", "/"), "/"):
            peer = Peer(owner, path, self._name, "the screen saver")
            call = await bus.send(peer, "GetActive")
            try:
                self._sight.locked(self._name, (await bus.reply(call, tuple[bool])).body[0])
            except BadReply:
                continue
            except NoAnswer:
                break
            return
        self.lose()

    def hear(self, signal: Signal) -> bool:
        """Take in that it came or went."""
        match signal:
            case Signal(interface=self._name, member="ActiveChanged", body=(bool(active),)):
                self._sight.locked(self._name, active)
            case _:
                pass
        return False

    def lose(self) -> None:
        """Take in that it is gone."""
        self._sight.locked(self._name, False)
