"""Programs on disk that do what a sensor program should, and what it should not."""

import contextlib
import json
import logging
import os
import sys
from pathlib import Path

import pytest
import trio
import trio.testing

from antidriftd.adapters.windows.child import BackOff
from antidriftd.core.model import SensorHealth, Window
from tests.adapters.windows.sensor_programs import WORKING, follow, keeping, program
from tests.waiting import wait_until


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_a_program_prints_is_reported(tmp_path: Path) -> None:
    source = """
say({"alive": True}, {"detail": "one eye only"}, see("a"))
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_window(Window("Fake", "a"))

    assert sink.events == [
        SensorHealth("fake", ok=True, detail="one eye only"),
        Window("Fake", "a"),
    ]


async def test_only_the_newest_window_of_a_burst_is_reported(tmp_path: Path) -> None:
    source = 'say(see("a"), {"window": None}, {"alive": True}, see("b"), see("c")); wait()'

    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_window(Window("Fake", "c"))

    assert sink.events == [WORKING, Window("Fake", "c")]


async def test_junk_is_ignored_and_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = """
say(3, [], {}, {"class": 3}, {"title": "\\ud800"}, {"window": 3}, "x" * 1_000_000)
os.write(1, b"\\xff\\xfe\\x00\\n" + b"[" * 60_000 + b"\\n" + b"{" * 200_000 + b"\\n")
say(see("after"))
wait()
"""
    with caplog.at_level(logging.WARNING):
        async with keeping(program(tmp_path, source)) as sink:
            await sink.wait_window(Window("Fake", "after"))

    assert sink.events == [WORKING, Window("Fake", "after")]
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ('say({"unavailable": "the source\\nis gone"})', "the source is gone"),
        ('say({"unavailable": "gone"}, see("too late")); wait()', "gone"),
        ("sys.exit(7)", "the window sensor ended by itself (status 7)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "the window sensor ended by itself (status -9)"),
        ("os.close(1); os.write(2, b'junk')", "the window sensor ended by itself (status 0)"),
    ],
)
async def test_a_program_that_ends_is_started_again(tmp_path: Path, end: str, reason: str) -> None:
    source = f"""
if count_run():
    say(see("again")); wait()
step(0)
{end}
"""
    async with keeping(program(tmp_path, source)) as sink:
        await follow(sink, tmp_path, 1)
        await sink.wait_window(Window("Fake", "again"))

    assert sink.events == [
        WORKING,
        Window("Fake", "0"),
        None,
        SensorHealth("no fake", ok=False, detail=reason),
        WORKING,
        Window("Fake", "again"),
    ]


@pytest.mark.parametrize(
    "stuck",
    [
        "time.sleep(1000)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "\nwhile True: os.write(1, b'junk\\n'); time.sleep(0.01)",
        "\nos.close(1); time.sleep(1000)",
    ],
)
async def test_a_program_without_a_sign_of_life_is_ended(tmp_path: Path, stuck: str) -> None:
    source = f"say(see(str(os.getpid()))); {stuck}"

    async with keeping(program(tmp_path, source), silence_secs=2) as sink:
        await sink.wait_health(ok=False, healths=1)
        pids = [int(title) for title in sink.titles]
        assert pids
        assert not any(is_running(pid) for pid in pids)


@pytest.mark.parametrize("obeys", [True, False])
async def test_cancelling_leaves_no_process(tmp_path: Path, obeys: bool) -> None:
    source = f"""
if not {obeys}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork():
    say(see(str(os.getpgid(0))))
time.sleep(1000)
"""
    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_health(ok=True)
        group = int(sink.titles[0])
        assert len(group_members(group)) == 2

    await wait_until(lambda: group_members(group) == [])


def group_members(group: int) -> list[str]:
    """Return the processes of a group that still run."""
    members = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, member_of = path.read_text().rpartition(")")[2].split()[:3]
            if int(member_of) == group and state != "Z":
                members.append(path.parent.name)
    return members


async def test_a_program_that_had_been_well_is_started_again_soon(tmp_path: Path) -> None:
    source = """
say({"alive": True}, {"alive": True}, see(f"run {count_run()}"))
"""
    # Without an end to the doubling these six runs would take over 11 s of waiting.
    with trio.fail_after(9):
        async with keeping(program(tmp_path, source)) as sink:
            await sink.wait_window(Window("Fake", "run 5"))


async def test_signs_of_life_keep_a_program_running(tmp_path: Path) -> None:
    source = """
say(see("a"))
for _ in range(60):
    time.sleep(0.1)
    say({"alive": True})
say(see("b"))
wait()
"""
    async with keeping(program(tmp_path, source), silence_secs=5) as sink:
        await sink.wait_window(Window("Fake", "b"))

    assert sink.events == [WORKING, Window("Fake", "a"), Window("Fake", "b")]


async def test_a_program_that_cannot_be_started_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(tmp_path / "no-python"))
        async with keeping(program(tmp_path, 'say(see("a")); wait()')) as sink:
            await sink.wait_health(ok=False, detail="No such file or directory")
            patch.undo()
            await sink.wait_window(Window("Fake", "a"))


async def test_a_program_gets_nothing_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    source = "say(see(json.dumps(sorted(os.environ)))); wait()"

    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_health(ok=True)

    names = set(json.loads(sink.titles[0]))
    allowed = {"HOME", "LD_LIBRARY_PATH", "LC_CTYPE", "PYTHONHOME", "PYTHONPATH", "COUNT_FILE"}
    assert names <= allowed


async def test_modules_in_the_working_directory_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "json.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(elsewhere)

    async with keeping(program(tmp_path, 'say(see("a")); wait()')) as sink:
        await sink.wait_window(Window("Fake", "a"))


async def test_waits_between_attempts_double_up_to_a_limit(
    autojump_clock: trio.testing.MockClock,
) -> None:
    back_off = BackOff()

    async def waits(count: int) -> list[float]:
        lengths = []
        for _ in range(count):
            before = trio.current_time()
            await back_off.wait()
            lengths.append(round(trio.current_time() - before, 6))
        return lengths

    assert await waits(5) == [0.5, 1, 2, 4, 4]
    back_off.reset()
    assert await waits(2) == [0.5, 1]
