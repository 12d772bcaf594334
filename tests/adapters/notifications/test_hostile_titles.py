"""No title breaks the message to the desktop, or anything that stands in it."""

import pytest

from antidriftd.adapters.notifications.text import text_of
from tests.adapters.notifications.notified import drift, open_notifier
from tests.fakes.notification_server import GNOME, PLAIN, FakeNotificationServer
from tests.hostile_titles import TITLES, hidden_in
from tests.session_bus import SessionBus

HOSTILE = (*TITLES, "\ud800", "\ufdd0\uffff", "%s%n", "\U0010ffff", "a" * 100_000)


def faults(summary: str, body: str) -> list[str]:
    """Return what mustn't be in a notification, whatever program shows it."""
    hidden = [fault for line in (summary, *body.split("\n")) for fault in hidden_in(line)]
    return hidden + [char for char in "<>" if char in body]


async def test_the_bus_takes_any_title(bus: SessionBus, server: FakeNotificationServer) -> None:
    """It would cut the line if it found a NUL, or half of a surrogate pair."""
    async with open_notifier(bus.address) as (notifier, _):
        for count, title in enumerate(HOSTILE, start=1):
            notifier.show(drift(title=title, window_class=title, reason=title))
            shown = await server.wait_shown(count)
            assert faults(shown.summary, shown.body) == [], ascii(title[:80])

    assert server.calls.count("GetCapabilities") == 1


@pytest.mark.parametrize("capabilities", [GNOME, PLAIN], ids=["markup", "plain"])
@pytest.mark.fault("T8", "title to a notification")
def test_no_title_adds_a_line_or_an_action(capabilities: tuple[str, ...]) -> None:
    usual = text_of(drift(), set(capabilities))
    for title in HOSTILE:
        text = text_of(drift(title=title, window_class=title, reason=title), set(capabilities))
        blank = not title.split()

        assert faults(text.summary, text.body) == [], ascii(title[:80])
        assert text.body.count("\n") == usual.body.count("\n") - 2 * blank
        assert (text.summary, text.actions) == (usual.summary, usual.actions)


@pytest.mark.fault("T8", "title to a notification", is_control=True)
def test_the_check_finds_a_title_that_is_sent_as_it_is() -> None:
    """A control."""
    assert all(faults("", title) for title in TITLES if hidden_in(title.replace("\n", "")))
