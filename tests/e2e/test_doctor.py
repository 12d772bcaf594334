"""`antidrift doctor` on a machine with nothing set up, and somebody who does all that it says."""

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import trio

from protocol.paths import prompt_path
from tests.daemons import open_daemon, run_daemon
from tests.fakes.notification_server import open_server
from tests.remedies import Finding, commands, doctor, restart, run, start_as_told
from tests.session_bus import open_bus
from tests.x11 import open_openbox, open_xvfb


def troubles(found: Mapping[str, Finding]) -> dict[str, str]:
    return {name: each["status"] for name, each in found.items() if each["status"] != "ok"}


async def test_every_remedy_on_a_machine_with_nothing_set_up_works(tmp_path: Path) -> None:
    """From no daemon at all to nothing to complain of, one remedy after the other."""
    async with (
        open_daemon(tmp_path, sensor="", ai="", started=False) as daemon,
        open_xvfb() as display,
        open_bus() as bus,
    ):
        home = daemon.home
        code, found = await doctor(home)
        assert code == 1
        assert troubles(found) == {"daemon": "failed"}
        assert "display" not in found

        start, _service = commands(found["daemon"])
        await start_as_told(daemon, start)
        code, found = await doctor(home)
        assert code == 0
        assert troubles(found) == dict.fromkeys(("display", "sensor", "notifications"), "warning")

        [command] = commands(found["sensor"])
        assert commands(found["display"]) == [command]
        assert (await run(home, command, DISPLAY=display)).returncode == 0
        await daemon.wait_state(lambda state: "manager" in state["sensor"].get("detail", ""))
        _, found = await doctor(home)
        assert troubles(found) == dict.fromkeys(("display", "notifications"), "warning")

        assert commands(found["display"]) == ["openbox"]
        async with open_openbox(display):
            await daemon.wait_state(lambda state: "detail" not in state["sensor"])
            _, found = await doctor(home)
            assert troubles(found) == {"notifications": "warning"}

            assert "from a terminal on the desktop" in found["notifications"]["remedy"]
            on_desktop = {"DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus.address}
            await restart(daemon, found["notifications"], **on_desktop)
            _, found = await doctor(home)
            assert troubles(found) == {"notifications": "warning"}
            assert commands(found["notifications"]) == ["dunst"]
            async with open_server(bus.address):
                code, found = await doctor(home)
                assert (code, troubles(found)) == (0, {})


async def test_the_display_of_the_terminal_that_doctor_runs_in_is_taken(tmp_path: Path) -> None:
    async with (
        open_xvfb() as display,
        open_openbox(display),
        open_daemon(tmp_path, sensor="") as daemon,
    ):
        _, found = await doctor(daemon.home, DISPLAY=display)

        assert found["display"]["status"] == found["sensor"]["status"] == "ok"


async def test_a_directory_open_to_others_is_closed_as_told(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, started=False) as daemon:
        place = daemon.home.socket.parent
        place.mkdir()
        place.chmod(0o777)
        _, found = await doctor(daemon.home)
        assert found["socket"]["status"] == "failed"
        assert (await run_daemon(daemon.home)).code == 78

        [close] = commands(found["socket"])
        await run(daemon.home, close)
        _, found = await doctor(daemon.home)
        await start_as_told(daemon, commands(found["daemon"])[0])
        _, found = await doctor(daemon.home)
        assert found["socket"]["status"] == found["daemon"]["status"] == "ok"


async def test_what_is_in_the_sockets_way_is_moved_as_told(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, started=False) as daemon:
        place = daemon.home.socket
        place.parent.mkdir(mode=0o700)
        place.write_text("what is this?")
        _, found = await doctor(daemon.home)
        [move] = commands(found["socket"])
        await run(daemon.home, move)
        await daemon.start()
        code, found = await doctor(daemon.home)

        assert (code, found["socket"]["status"]) == (0, "ok")
        assert place.with_name(f"{place.name}.old").read_text() == "what is this?"


async def test_bad_settings_are_checked_as_told_before_the_daemon_starts(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, config="[drift\n", started=False) as daemon:
        _, found = await doctor(daemon.home)
        assert found["config"]["status"] == "failed"
        [check] = commands(found["config"])
        assert (await run(daemon.home, check)).returncode == 78
        daemon.home.config.write_text("[drift]\n")
        assert (await run(daemon.home, check)).returncode == 0

        assert (await doctor(daemon.home))[1]["config"]["status"] == "ok"


async def test_a_daemon_that_hangs_is_ended_as_told(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        os.kill(daemon.pid, signal.SIGSTOP)
        _, found = await doctor(daemon.home)
        assert found["daemon"]["detail"] == "it gives no answer in time"
        end, start, _service = commands(found["daemon"])
        assert end == f"kill -9 {daemon.pid}"
        await run(daemon.home, end)
        await daemon.wait()
        await start_as_told(daemon, start)

        assert (await doctor(daemon.home))[1]["daemon"]["status"] == "ok"


async def test_a_lost_prompt_file_is_back_after_the_restart_it_advises(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        _, found = await doctor(daemon.home)
        assert found["prompt"]["status"] == "ok"
        await trio.Path(prompt_path(str(daemon.home.socket))).unlink()
        _, found = await doctor(daemon.home)
        assert found["prompt"]["status"] == "warning"
        stop, start, _service = commands(found["prompt"])
        await run(daemon.home, stop)
        await daemon.wait()
        await start_as_told(daemon, start)

        assert (await doctor(daemon.home))[1]["prompt"]["status"] == "ok"
