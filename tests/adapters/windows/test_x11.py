"""The X11 sensor program, by way of the sensor, on real servers with plain clients."""

import contextlib
import os
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display, SensorHealth, Window
from tests.adapters.windows.recording_sink import RecordingSink, open_sensor
from tests.processes import wake_ups
from tests.x11 import XClient, open_client, open_openbox

WORKING = SensorHealth("x11", ok=True)
NO_WINDOW_MANAGER = "no window manager names the active window"


def has_not_restarted(sink: RecordingSink) -> bool:
    return sink.healths[1:] == [WORKING]


async def test_focus_and_titles_are_told_as_they_change(
    client: XClient, sink: RecordingSink
) -> None:
    vim = client.make_window("XTerm", "vim")
    web = client.make_window("Firefox", "news")

    client.set_active(vim)
    await sink.wait_window(Window("XTerm", "vim", "xterm"))
    client.set_active(web)
    await sink.wait_window(Window("Firefox", "news", "firefox"))
    client.set_title(web, "naïve — 日本".encode())
    await sink.wait_window(Window("Firefox", "naïve — 日本", "firefox"))
    client.set_property(web, "WM_CLASS", b"a\0B\0", "STRING")
    await sink.wait_window(Window("B", "naïve — 日本", "a"))
    client.delete_property(web, "_NET_WM_NAME")
    await sink.wait_window(Window("B", "", "a"))
    client.set_property(web, "WM_NAME", b"old na\xefve", "STRING")
    await sink.wait_window(Window("B", "old naïve", "a"))
    client.set_active(0)
    await sink.wait_window(None)

    assert has_not_restarted(sink)


async def test_what_is_told_twice_is_passed_on_once(client: XClient, sink: RecordingSink) -> None:
    window = client.make_window("XTerm", "vim")
    client.set_active(window)
    await sink.wait_title("vim")

    for _ in range(50):
        client.set_title(window, b"vim")
        client.set_active(window)
        client.set_property(window, "_NET_WM_USER_TIME", [1], "CARDINAL", 32)
        await trio.sleep(0.001)
    client.set_title(window, b"done")
    await sink.wait_title("done")

    assert sink.titles == ["vim", "done"]


async def test_a_window_that_lost_the_front_is_not_watched(
    client: XClient, sink: RecordingSink
) -> None:
    behind = client.make_window("XTerm", "behind")
    front = client.make_window("Firefox", "front")
    client.set_active(behind)
    await sink.wait_title("behind")
    client.set_active(front)
    await sink.wait_title("front")

    for number in range(50):
        client.set_title(behind, f"unseen {number}".encode())
    client.set_title(front, b"seen")
    await sink.wait_title("seen")

    assert sink.titles == ["behind", "front", "seen"]


async def test_a_window_that_dies_before_it_is_read_is_no_window(
    client: XClient, sink: RecordingSink
) -> None:
    for number in range(20):
        client.set_active(client.make_window("XTerm", f"stays {number}"))
        await sink.wait_title(f"stays {number}")
        doomed = client.make_window("Doomed", "doomed")
        client.destroy(doomed)
        client.set_active(doomed)
        await sink.wait_window(None)

    assert "doomed" not in sink.titles
    assert has_not_restarted(sink)


async def test_a_storm_of_dying_windows_is_survived(client: XClient, sink: RecordingSink) -> None:
    for number in range(1000):
        window = client.make_window("Storm", f"storm {number}")
        client.set_active(window)
        client.set_title(window, b"flash")
        client.destroy(window)
        if number % 50 == 0:
            await trio.lowlevel.checkpoint()
    client.set_active(client.make_window("XTerm", "calm"))

    await sink.wait_window(Window("XTerm", "calm", "xterm"))
    assert has_not_restarted(sink)


async def test_after_a_flood_of_titles_the_last_one_is_known(
    client: XClient, sink: RecordingSink
) -> None:
    window = client.make_window("Spinner", "start")
    client.set_active(window)
    await sink.wait_title("start")

    def flood() -> None:
        for number in range(10_000):
            client.set_title(window, f"{number} ⠋".encode())

    await trio.to_thread.run_sync(flood)

    await sink.wait_title("9999 ⠋")
    assert has_not_restarted(sink)


async def test_a_title_that_changes_while_it_is_read_is_never_mixed(
    client: XClient, sink: RecordingSink
) -> None:
    whole = {"A" * 200, "é" * 150, "", "rest"}
    window = client.make_window("Hostile", "rest")
    client.set_active(window)
    await sink.wait_title("rest")

    def flip() -> None:
        for _ in range(5000):
            client.set_title(window, b"A" * 200)
            client.set_title(window, ("é" * 150).encode())
            client.delete_property(window, "_NET_WM_NAME")

    await trio.to_thread.run_sync(flip)
    client.set_title(window, b"at rest again")
    await sink.wait_title("at rest again")

    assert set(sink.titles) - {"at rest again"} <= whole
    assert has_not_restarted(sink)


async def test_the_program_is_idle_when_nothing_changes(
    client: XClient, sink: RecordingSink
) -> None:
    window = client.make_window("Spinner", "start")
    client.set_active(window)
    for length in (200, 5) * 2000:
        client.set_title(window, b"x" * length)
    client.set_title(window, b"rest")
    await sink.wait_title("rest")
    (child,) = sensor_programs()
    await trio.sleep(0.2)

    before = wake_ups(child)
    await trio.sleep(2)

    # One sign of life is due every 9 s, and takes a round trip.
    assert wake_ups(child) - before <= 2


def sensor_programs() -> list[int]:
    """Return the X11 sensor programs that this process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            is_child = f"\nPPid:\t{os.getpid()}\n" in status.read_text()
            command = (status.parent / "cmdline").read_bytes()
            if is_child and b"antidriftd.adapters.windows.x11" in command:
                found.append(int(status.parent.name))
    return found


@pytest.mark.parametrize("value", [[0xFFFFFFFF], [3], [0x200001, 7]])
async def test_an_active_window_that_cannot_be_is_no_window(
    client: XClient, sink: RecordingSink, value: list[int]
) -> None:
    client.set_active(client.make_window("XTerm", "vim"))
    await sink.wait_title("vim")

    client.set_property(client.root, "_NET_ACTIVE_WINDOW", value, "WINDOW", 32)

    await sink.wait_window(None)
    assert has_not_restarted(sink)


async def test_the_root_as_active_window_is_no_window(client: XClient, sink: RecordingSink) -> None:
    window = client.make_window("XTerm", "vim")
    for number in range(3):
        client.set_active(window)
        client.set_title(window, f"vim {number}".encode())
        await sink.wait_title(f"vim {number}")
        client.set_active(client.root)
        await sink.wait_window(None)


async def test_the_absence_of_a_window_manager_is_said(
    x_display: str, client: XClient, sink: RecordingSink
) -> None:
    client.delete_property(client.root, "_NET_ACTIVE_WINDOW")
    health = await sink.wait_health(ok=True, detail=NO_WINDOW_MANAGER)
    client.set_active(client.make_window("XTerm", "vim"))
    await sink.wait_title("vim")

    assert health.ok
    assert sink.healths[-1] == WORKING


async def test_a_window_manager_that_says_nothing_while_no_window_is_active_is_not_missed(
    client: XClient, sink: RecordingSink
) -> None:
    manager = client.make_window()
    client.claim_management(manager, "_NET_WM_NAME")
    client.set_active(client.make_window("XTerm", "vim"))
    await sink.wait_title("vim")

    client.delete_property(client.root, "_NET_ACTIVE_WINDOW")
    await sink.wait_health(ok=True, detail=NO_WINDOW_MANAGER)  # it never names one
    client.claim_management(manager, "_NET_ACTIVE_WINDOW", "_NET_WM_NAME")
    client.set_active(client.make_window("XTerm", "emacs"))
    await sink.wait_title("emacs")
    client.delete_property(client.root, "_NET_ACTIVE_WINDOW")
    await sink.wait_window(None)
    assert sink.healths[-1] == WORKING

    client.destroy(manager)
    client.set_active(client.make_window("XTerm", "htop"))
    await sink.wait_title("htop")
    client.delete_property(client.root, "_NET_ACTIVE_WINDOW")
    await sink.wait_health(ok=True, detail=NO_WINDOW_MANAGER)


async def test_windows_under_a_real_window_manager_are_told(x_display: str) -> None:
    async with (
        open_sensor(X11WindowSensor(Display(x_display), False, "auto")) as sink,
        open_openbox(x_display),
    ):
        with XClient(x_display) as client:
            client.make_window("Firefox", "news", mapped=True)
            await sink.wait_title("news")
            async with open_client(x_display, "xterm", "-T", "naïve — 日本"):
                assert await sink.wait_title("naïve — 日本") == Window(
                    "XTerm", "naïve — 日本", "xterm"
                )
            await sink.wait_title("news")

    assert sink.healths[-1] == WORKING
