"""The `antidriftd` command: its exit codes, and a log that nobody can forge or choke."""

import logging
import sys
from pathlib import Path

import pytest
import trio

from antidriftd import __main__ as command
from protocol.version import PROTOCOL_VERSION, VERSION
from tests.daemons import PROGRAM, make_home, open_daemon, run_daemon
from tests.processes import what_is_open

SHELL = ("sh", "-c")


# --- exit codes --------------------------------------------------------------------------------


async def test_version_and_help_need_nothing(tmp_path: Path) -> None:
    home = make_home(tmp_path, env={"HOME": ""})
    version = await run_daemon(home, ["--version"])
    usage = await run_daemon(home, ["--help"])

    assert (version.code, version.stderr) == (0, "")
    assert version.stdout == f"antidriftd {VERSION} (protocol {PROTOCOL_VERSION})\n"
    assert usage.code == 0
    for flag in ("socket", "state-dir", "config", "sensor", "ai", "log-level", "check-config"):
        assert f"--{flag}" in usage.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--colour"],
        ["extra"],
        ["--ai", "hal"],
        ["--sensor", "wayland"],
        ["--sensor", "replay:"],
        ["--log-level", "x"],
        ["--sock", "x"],
    ],
)
async def test_wrong_usage_is_2(tmp_path: Path, arguments: list[str]) -> None:
    ended = await run_daemon(make_home(tmp_path), arguments)

    assert ended.code == 2
    assert "usage: antidriftd" in ended.stderr


@pytest.mark.parametrize("arguments", [[], ["--check-config"]])
async def test_a_bad_config_is_78_and_one_line(tmp_path: Path, arguments: list[str]) -> None:
    home = make_home(tmp_path, config="[drift]\nspeed = 1\n")
    ended = await run_daemon(home, arguments)

    assert ended.code == 78
    assert ended.stderr.startswith(f"antidriftd: {home.config}: unknown key `drift.speed`")
    assert ended.stderr.count("\n") == 1
    assert not home.state_dir.exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ANTIDRIFT_SENSOR", "wayland"),
        ("ANTIDRIFT_SENSOR", "replay:"),
        ("ANTIDRIFT_SENSOR", "replay:x@0"),
        ("ANTIDRIFT_AI_CMD", "claude 'unclosed"),
        ("ANTIDRIFT_AI_CMD", ""),
        ("ANTIDRIFT_SOCKET", "/" + "x" * 107),
    ],
)
async def test_what_only_a_part_knows_is_checked_too(
    tmp_path: Path, variable: str, value: str
) -> None:
    home = make_home(tmp_path, ai="command", env={"ANTIDRIFT_AI_CMD": "true", variable: value})
    ended = await run_daemon(home, ["--check-config"])

    assert (ended.code, ended.stderr.count("\n")) == (78, 1)


async def test_a_missing_program_hides_no_other_mistake(tmp_path: Path) -> None:
    config = "[tasks]\nsource = 'command'\n"
    home = make_home(tmp_path, ai="claude", env={"PATH": "/nowhere"}, config=config)
    ended = await run_daemon(home)

    assert (ended.code, ended.stderr.count("\n")) == (78, 1)
    assert "tasks.command" in ended.stderr


async def test_checking_a_good_config_says_so_and_starts_nothing(tmp_path: Path) -> None:
    home = make_home(tmp_path, config="[drift]\ndwell_secs = 3\n")
    ended = await run_daemon(home, ["--check-config"])

    assert (ended.code, ended.stdout, ended.stderr) == (0, f"{home.config}: good\n", "")
    assert not home.state_dir.exists()
    assert not home.socket.parent.exists()


async def test_checking_a_config_that_is_not_there_does_not_call_it_good(tmp_path: Path) -> None:
    missing = tmp_path / "typo.toml"
    home = make_home(tmp_path, env={"ANTIDRIFT_CONFIG": str(missing)})
    ended = await run_daemon(home, ["--check-config"])

    assert (ended.code, ended.stderr) == (0, "")
    assert ended.stdout == f"{missing}: no such file, so the defaults hold\n"


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP"])
async def test_a_daemon_that_is_told_to_stop_ends_with_0(tmp_path: Path, name: str) -> None:
    async with open_daemon(tmp_path) as daemon:
        await trio.run_process(["kill", f"-{name}", str(daemon.pid)])
        assert await daemon.wait() == 0
        assert not daemon.home.socket.exists()


async def test_a_place_that_cannot_be_made_is_1_and_one_line(tmp_path: Path) -> None:
    ended = await run_daemon(make_home(tmp_path, env={"ANTIDRIFT_STATE_DIR": "/proc/antidrift"}))

    assert ended.code == 1
    assert ended.stderr.startswith("antidriftd: can't start: /proc/antidrift")
    assert ended.stderr.count("\n") == 1


# --- standard error ----------------------------------------------------------------------------


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- >&- 2>&-", ">/dev/full"])
async def test_nobody_minds_a_log_that_cannot_be_written(tmp_path: Path, redirection: str) -> None:
    prefix = (*SHELL, f'exec "$@" {redirection}', "sh")
    home = make_home(tmp_path)
    async with open_daemon(tmp_path, prefix=prefix) as daemon:
        # None of its own files may have become the standard error of what it starts.
        stderr = what_is_open(daemon.pid, 2)
        assert stderr in {"/dev/null", "/dev/full", str(daemon.log_file)}
        assert (await daemon.request("plan", intent="read"))["durable"]
        second = await run_daemon(home, prefix=prefix)
        assert second.code == 1
        assert await daemon.terminate() == 0

    home.config.parent.mkdir(parents=True)
    home.config.write_text("x = 1")
    assert (await run_daemon(home, prefix=prefix)).code == 78


async def test_a_log_reader_that_went_away_is_not_missed(tmp_path: Path) -> None:
    prefix = (*SHELL, '{ "$@" 2>&1 1>&3 | head -n 1; } 3>&1', "sh")
    async with open_daemon(tmp_path, prefix=prefix) as daemon:
        await daemon.wait_log("listening")
        pid = (await daemon.request("info"))["pid"]
        await trio.run_process(["kill", str(pid)])
        assert await daemon.wait() == 0


# --- the log -----------------------------------------------------------------------------------


def formatted(message: str, *, journal: bool = False, level: int = logging.WARNING) -> str:
    record = logging.LogRecord("antidriftd.x", level, "", 0, message, None, None)
    return command._OneLine(journal=journal).format(record)


@pytest.mark.parametrize(
    "text",
    ["a\nb", "a\rb", "\x1b[2J", "\x9b2J", "\u202etxt", "a\u2028b", "\ud800", "\u200b", "\x00"],
)
@pytest.mark.fault("T16", "title or judge text in the log")
def test_a_record_is_one_line_without_anything_that_hides(text: str) -> None:
    line = formatted(f"window {text!s} end")

    assert line.isprintable()
    assert line.startswith("WARNING antidriftd.x: window ")
    assert line.endswith(" end")


def test_a_record_is_cut_and_plain_text_is_left_as_it_is() -> None:
    assert formatted("héllo, 日本") == "WARNING antidriftd.x: héllo, 日本"
    assert len(formatted("x" * 10_000)) <= 1000


def test_a_traceback_keeps_its_lines_and_nothing_else_can_begin_one() -> None:
    try:
        raise ValueError("a\nERROR forged: line\x1b[2J")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", None, sys.exc_info())
    lines = command._OneLine(journal=True).format(record).split("\n")

    assert len(lines) > 3
    assert all(line.startswith("<3>") and line.isprintable() for line in lines)


def test_the_journal_is_told_how_serious_a_line_is() -> None:
    levels = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}

    for level, severity in levels.items():
        assert formatted("x", journal=True, level=level).startswith(f"<{severity}>")


@pytest.mark.parametrize("ours", [True, False])
async def test_only_what_the_journal_reads_has_its_numbers(tmp_path: Path, ours: bool) -> None:
    """A shell in a terminal may inherit the variable from the session's own service."""
    log = tmp_path / "antidriftd.log"
    log.touch()
    seen = log.stat()
    stream = f"{seen.st_dev}:{seen.st_ino if ours else 1}"
    async with open_daemon(tmp_path, env={"JOURNAL_STREAM": stream}) as daemon:
        await daemon.wait_log("listening")

        assert daemon.log.startswith("<6>INFO" if ours else "INFO")


@pytest.mark.fault("T16", "title or judge text in the log")
async def test_titles_do_not_reach_the_log(tmp_path: Path) -> None:
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "code", "title": "canary"}\n')
    async with open_daemon(tmp_path, sensor=f"replay:{recording}", ai="local") as daemon:
        await daemon.request("start", next_action="watch the canary")
        await daemon.wait_state(lambda state: "window" in state)
        await daemon.request("ontask", window_title="canary")
        assert await daemon.terminate() == 0

        assert "canary" not in daemon.log


async def test_the_module_and_the_script_are_the_same_program() -> None:
    assert PROGRAM[1:] == ("-m", "antidriftd")
    assert command.__name__ == "antidriftd.__main__"
