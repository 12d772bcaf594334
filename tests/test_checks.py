"""What the daemon finds when it looks at itself, and that each remedy helps."""

import json
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.daemons import open_daemon
from tests.fakes.absent import without
from tests.fakes.ai import write_program
from tests.fakes.notification_server import open_server
from tests.remedies import PATH, Finding, commands, look, pick, restart, run
from tests.session_bus import open_bus
from tests.x11 import kept_display, open_openbox, open_xvfb

NAMES = ["config", "display", "sensor", "ai", "notifications", "profile", "tasks"]


def ok(name: str, detail: str) -> Finding:
    return {"name": name, "status": "ok", "detail": detail}


async def test_who_wants_little_has_nothing_to_mend(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, config="[notify]\nenabled = false\n") as daemon:
        found = (await daemon.request("doctor"))["findings"]

        profile = daemon.home.environ["HOME"] + "/.antidrift/knowledge.md"
        assert found == [
            ok("config", f"{daemon.home.config}: good"),
            ok("display", "none is needed: sensor.name is none"),
            ok("sensor", "none: windows are not watched, as sensor.name says"),
            ok("ai", "none: nobody judges, only what you allow counts"),
            ok("notifications", "off: notify.enabled is false"),
            ok("profile", f"{profile}: none, so the coach knows nothing of you"),
            ok("tasks", "none: tasks.source names no list"),
        ]
        assert [each["name"] for each in found] == NAMES


# --- settings ----------------------------------------------------------------------------------


async def test_settings_that_changed_need_a_restart(tmp_path: Path) -> None:
    flags = ["--log-level", "debug", "--ai", "local"]
    async with open_daemon(tmp_path, arguments=flags) as daemon:
        assert (await look(daemon, "config"))["detail"].endswith(
            "no such file, so the defaults hold"
        )
        daemon.home.config.parent.mkdir(parents=True)
        daemon.home.config.write_text("# a word\n[drift]\ndwell_secs = 2\n")
        assert (await look(daemon, "config"))["status"] == "ok"
        daemon.home.config.write_text("[drift]\ndwell_secs = 3\ndebounce_secs = 4\n")
        found = await look(daemon, "config")

        assert found["status"] == "warning"
        assert found["detail"].endswith(": drift.dwell_secs, drift.debounce_secs")
        assert commands(found)[1] == "antidriftd --ai local"
        await restart(daemon, found)
        assert (await look(daemon, "config"))["status"] == "ok"
        assert (await daemon.request("info"))["ai"] == "local"


async def test_settings_that_went_bad_are_told_before_the_restart_that_they_would_stop(
    tmp_path: Path,
) -> None:
    config = tmp_path / "my own.toml"
    config.write_text("[drift]\n")
    async with open_daemon(tmp_path, arguments=["--config", str(config)]) as daemon:
        config.write_text("[drift]\ndwell_secs = 'long'\n")
        found = await look(daemon, "config")

        assert found["status"] == "failed"
        assert found["detail"].startswith(f"{config}: `drift.dwell_secs` must be ")
        [check] = commands(found)
        assert (await run(daemon.home, check)).returncode == 78
        config.write_text("[drift]\ndwell_secs = 2\n")
        assert (await run(daemon.home, check)).returncode == 0
        assert (await look(daemon, "config"))["status"] == "ok"


async def test_what_systemd_started_systemd_restarts(tmp_path: Path) -> None:
    as_systemd = ["sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$@"', "sh"]
    async with open_daemon(tmp_path, prefix=as_systemd) as daemon:
        daemon.home.config.parent.mkdir(parents=True)
        daemon.home.config.write_text("[drift]\ndwell_secs = 3\n")

        found = await look(daemon, "config")
        assert commands(found) == ["systemctl --user restart antidriftd"]


# --- seeing windows ----------------------------------------------------------------------------


@pytest.mark.parametrize(("sensor", "status"), [("auto", "warning"), ("x11", "failed")])
async def test_a_display_comes_with_the_next_command(
    tmp_path: Path, sensor: str, status: str
) -> None:
    async with open_daemon(tmp_path, sensor=sensor) as daemon:
        for name in ("display", "sensor"):
            found = await look(daemon, name)
            assert found["status"] == status
            assert commands(found) == ["antidrift status"]
        async with open_xvfb() as display, open_openbox(display):
            await run(daemon.home, commands(found)[0], DISPLAY=display)

            assert await look(daemon, "display") == ok(
                "display", "X11, and the window manager names the window in front"
            )
            assert await look(daemon, "sensor") == ok("sensor", "x11 is running")


async def test_a_window_manager_is_missed(tmp_path: Path) -> None:
    async with (
        open_xvfb() as display,
        open_daemon(tmp_path, sensor="auto", env={"DISPLAY": display}) as daemon,
    ):
        await daemon.wait_state(
            lambda state: "no window manager" in state["sensor"].get("detail", "")
        )
        found = await look(daemon, "display")

        assert (found["status"], commands(found)) == ("warning", ["openbox"])
        async with open_openbox(display):
            await daemon.wait_state(lambda state: "detail" not in state["sensor"])
            assert (await look(daemon, "display"))["status"] == "ok"


async def test_wayland_is_told_with_the_way_out(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor="auto", env={"WAYLAND_DISPLAY": "w"}) as daemon:
        await daemon.wait_state(lambda state: "Wayland" in state["sensor"].get("detail", ""))
        for name in ("display", "sensor"):
            found = await look(daemon, name)
            assert found["status"] == "warning"
            assert found["remedy"].startswith("log out, and choose an X11 ")


async def test_a_display_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = kept_display()
    async with open_daemon(tmp_path, sensor="x11", env={"DISPLAY": gone}) as daemon:
        found = await look(daemon, "display")

        assert found["status"] == "failed"
        assert f"{gone} does not answer" in found["detail"]


async def test_a_recording_that_is_missing_is_told(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, sensor=f"replay:{tmp_path}/day.jsonl") as daemon:
        await daemon.wait_state(lambda state: "day.jsonl" in state["sensor"].get("detail", ""))
        found = await look(daemon, "sensor")

        assert found["status"] == "failed"
        assert found["remedy"].startswith("start the daemon with ANTIDRIFT_SENSOR=auto, or ")


# --- whom the daemon asks ----------------------------------------------------------------------


async def test_an_ai_program_that_is_missing_is_told_and_then_that_it_came_too_late(
    tmp_path: Path,
) -> None:
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    env = {"PATH": str(bin_dir)}
    async with open_daemon(tmp_path, ai="", config='[ai]\nbackend = "claude"\n', env=env) as daemon:
        found = await look(daemon, "ai")
        assert found["status"] == "failed"
        assert f"cannot find claude in PATH={bin_dir}" in found["detail"]
        assert f'set backend = "local" below [ai] in {daemon.home.config};' in found["remedy"]

        write_program(bin_dir, "", "claude")
        late = await look(daemon, "ai")
        assert (late["status"], late["detail"]) == (
            "warning",
            "claude: not there when the daemon started",
        )
        await restart(daemon, late, PATH=f"{bin_dir}:{PATH}")
        assert await look(daemon, "ai") == ok("ai", "claude: its program is there")


async def test_a_model_that_is_not_installed_is_told_and_windows_are_judged_all_the_same(
    tmp_path: Path,
) -> None:
    env = {"PYTHONPATH": f"{without(tmp_path, 'onnxruntime')}:{ROOT}"}
    async with open_daemon(tmp_path, ai="semantic", env=env) as daemon:
        found = await look(daemon, "ai")
        assert found["status"] == "failed"
        assert "pip install 'antidriftd[semantic]'" in found["detail"]
        assert "start the daemon with ANTIDRIFT_AI_BACKEND=local;" in found["remedy"]
        [notice] = (await daemon.request("state"))["notices"]
        assert notice.startswith("windows are judged as by the backend local: ")


async def test_the_ai_that_needs_no_program_can_be_chosen_instead(tmp_path: Path) -> None:
    env = {"PATH": "/nowhere"}
    async with open_daemon(tmp_path, ai="", config='[ai]\nbackend = "claude"\n', env=env) as daemon:
        found = await look(daemon, "ai")
        daemon.home.config.write_text('[ai]\nbackend = "local"\n')
        await restart(daemon, found)

        assert await look(daemon, "ai") == ok("ai", "local: built in")


@pytest.mark.parametrize(
    ("env", "flags", "remedy"),
    [
        ("claude", [], "start the daemon with ANTIDRIFT_AI_BACKEND=local;"),
        ("", ["--ai", "claude"], "start the daemon with --ai local;"),
    ],
)
async def test_a_setting_is_mended_where_it_counts(
    tmp_path: Path, env: str, flags: list[str], remedy: str
) -> None:
    nowhere = {"PATH": "/nowhere"}
    async with open_daemon(tmp_path, ai=env, env=nowhere, arguments=flags) as daemon:
        assert remedy in (await look(daemon, "ai"))["remedy"]


async def test_notifications_need_a_bus_and_a_program_on_it(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon, open_bus() as bus:
        no_bus = await look(daemon, "notifications")
        assert no_bus["status"] == "warning"
        assert "from a terminal on the desktop" in no_bus["remedy"]
        await restart(daemon, no_bus, DBUS_SESSION_BUS_ADDRESS=bus.address)

        nobody = await look(daemon, "notifications")
        assert (nobody["status"], commands(nobody)) == ("warning", ["dunst"])
        async with open_server(bus.address):
            assert await look(daemon, "notifications") == ok("notifications", "shown by fake 1.0")


async def test_a_profile_that_cannot_be_read_is_told_and_none_of_its_text(tmp_path: Path) -> None:
    mine = tmp_path / "me.md"
    mine.write_text("I dislike Mondays.")
    async with open_daemon(tmp_path, env={"ANTIDRIFT_KNOWLEDGE_FILE": str(tmp_path)}) as daemon:
        found = await look(daemon, "profile")
        assert found["status"] == "failed"
        assert str(tmp_path) in found["detail"]
        [choose] = commands(found)
        assert (await run(daemon.home, choose.replace("PATH", str(mine)))).returncode == 0

        diagnosis = await daemon.request("doctor")
        assert pick(diagnosis, "profile") == ok("profile", f"{mine}: 18 characters")
        assert "Mondays" not in json.dumps(diagnosis)


async def test_a_profile_may_be_switched_off(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, config="[knowledge]\nenabled = false\n") as daemon:
        assert await look(daemon, "profile") == ok(
            "profile", "never read: knowledge.enabled is false"
        )


async def test_a_task_file_that_is_missing_is_told(tmp_path: Path) -> None:
    file = tmp_path / "todo.txt"
    config = f'[tasks]\nsource = "todotxt"\nfile = "{file}"\n'
    async with open_daemon(tmp_path, config=config) as daemon:
        found = await look(daemon, "tasks")
        assert found["status"] == "failed"
        assert f"cannot read {file}" in found["detail"]
        daemon.home.config.write_text('[tasks]\nsource = "none"\n')
        await restart(daemon, found)
        assert (await look(daemon, "tasks"))["status"] == "ok"

        daemon.home.config.write_text(config)
        file.write_text("(A) write the report\n")
        await daemon.restart()
        assert await look(daemon, "tasks") == ok("tasks", "todotxt: tasks for today: 1")


async def test_a_task_program_that_is_missing_is_told_and_then_that_it_came_too_late(
    tmp_path: Path,
) -> None:
    config = f'[tasks]\nsource = "command"\ncommand = "{tmp_path}/my-tasks"\n'
    async with open_daemon(tmp_path, config=config) as daemon:
        found = await look(daemon, "tasks")
        assert found["status"] == "failed"
        assert "install it, " in found["remedy"]
        write_program(tmp_path, "print('call Ann')", "my-tasks")
        late = await look(daemon, "tasks")

        assert late["status"] == "warning"
        await restart(daemon, late)
        assert await look(daemon, "tasks") == ok("tasks", "command: tasks for today: 1")


async def test_a_task_list_from_a_variable_is_left_in_the_file(tmp_path: Path) -> None:
    env = {"ANTIDRIFT_MARVIN_CMD": str(tmp_path / "marvin")}
    async with open_daemon(tmp_path, env=env) as daemon:
        found = await look(daemon, "tasks")
        assert f'set source = "none" below [tasks] in {daemon.home.config};' in found["remedy"]
        daemon.home.config.parent.mkdir(parents=True)
        daemon.home.config.write_text('[tasks]\nsource = "none"\n')
        await restart(daemon, found)

        assert (await look(daemon, "tasks"))["status"] == "ok"
