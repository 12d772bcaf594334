"""No title breaks the message to the desktop, or anything that stands in it."""

import unicodedata

from tests.adapters.notifications.notified import drift, open_notifier
from tests.fakes.notification_server import FakeNotificationServer
from tests.session_bus import SessionBus


async def test_the_bus_takes_any_title(bus: SessionBus, server: FakeNotificationServer) -> None:
    """It would cut the line if it found a NUL, or half of a surrogate pair."""
    hostile = [
        *("<b>&<i>\"'", "\0", "\ud800", "\x1b]0;x\x07", "\u202egnp.exe", "\ufdd0\uffff"),
        *("%s%n", "\U0010ffff", "a" * 100_000, "\n" * 1_000, "\u0301" * 1_000),
    ]
    async with open_notifier(bus.address) as (notifier, _):
        for count, title in enumerate(hostile, start=1):
            notifier.show(drift(title=title, window_class=title, reason=title))
            shown = await server.wait_shown(count)
            assert not any(
                unicodedata.category(char) in {"Cc", "Cf", "Cs"}
                for char in shown.summary + shown.body.replace("\n", "")
            )
            assert not set('<>"') & set(shown.body)

    assert server.calls.count("GetCapabilities") == 1
