"""`config` and `doctor`: what the daemon tells of its settings, and how it does."""

from pathlib import Path

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.runtime.checkup import Found
from tests.daemons import open_daemon
from tests.rpc.phases import refused
from tests.rpc.served import open_served


async def test_config_tells_each_setting_and_where_it_came_from(tmp_path: Path) -> None:
    config = '[drift]\ndwell_secs = 2.5\nterminals = ["kitty"]\n'
    flags = ["--ai", "local"]
    async with open_daemon(tmp_path, config=config, arguments=flags) as daemon:
        told = await daemon.request("config")
        path = str(daemon.home.config)

        assert told["path"] == path
        settings = {each["key"]: (each["value"], each["source"]) for each in told["settings"]}
        assert settings["ai.backend"] == ("local", "flag")
        assert settings["sensor.name"] == ("none", "ANTIDRIFT_SENSOR")
        assert settings["drift.dwell_secs"] == (2.5, path)
        assert settings["drift.terminals"] == (["kitty"], path)
        assert settings["drift.debounce_secs"] == (10, "default")
        assert settings["ai.pass_env"] == ([], "default")
        assert "rofi" in settings["drift.neutral"][0]
        assert settings["socket"] == (str(daemon.home.socket), "default")
        assert settings["state_dir"] == (str(daemon.home.state_dir), "default")


async def test_doctor_tells_what_was_found_in_order(tmp_path: Path) -> None:
    async def well(_: object) -> Found:
        return Found("ok", "fine")

    async def badly(_: object) -> Found:
        return Found("failed", "gone", "bring it back")

    async with open_served(tmp_path, looks={"b": well, "a": badly}) as served:
        assert await served.request("doctor") == {
            "findings": [
                {"name": "b", "status": "ok", "detail": "fine"},
                {"name": "a", "status": "failed", "detail": "gone", "remedy": "bring it back"},
            ]
        }


async def test_doctor_serves_one_at_a_time_and_keeps_nobody_else_waiting(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    done = trio.Event()

    async def look(_: object) -> Found:
        await done.wait()
        return Found("ok", "fine")

    async with (
        open_served(tmp_path, looks={"slow": look}) as served,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(served.request, "doctor")
        await wait_all_tasks_blocked()
        async with served.connect() as client:
            assert (await refused(client, "doctor")).kind == "too_busy"
            assert (await client.request("state"))["runtime"] == "idle"
            done.set()
            await wait_all_tasks_blocked()

            assert (await client.request("doctor"))["findings"][0]["status"] == "ok"
