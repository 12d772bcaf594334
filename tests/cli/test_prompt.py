"""`antidrift prompt`: quick, silent about trouble, and always a success."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from antidrift_cli.prompt_segment import MAX_LINE_BYTES, minutes, read_status, segment
from protocol.prompt import PromptStatus, encode
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command
from tests.cli.shells import Home, a_status

NOW = 1_800_000_000.0
_TRIES = 50

LOADED = """
import os, sys
end = os._exit
def tell(code):
    print(*sorted(sys.modules), sep="\\n", file=sys.stderr, flush=True)
    end(code)
os._exit = tell
sys.argv = ["antidrift", *sys.argv[1:]]
from antidrift_cli.__main__ import main
main()
"""


OURS = {
    "antidrift_cli",
    "antidrift_cli.__main__",
    "antidrift_cli.clock",
    "antidrift_cli.prompt_process",
    "antidrift_cli.prompt_segment",
    "protocol",
    "protocol.paths",
    "protocol.prompt",
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def run_prompt(
    environ: Mapping[str, str], *, program: list[str] | None = None
) -> tuple[int, str, str]:
    done = subprocess.run(
        program or command("prompt"), env=environ, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def run_patiently(
    environ: Mapping[str, str], *, program: list[str] | None = None
) -> tuple[int, str, str]:
    """Run it until it has been quick enough to say something: a busy machine may cut it short."""
    for _ in range(_TRIES):
        code, out, err = run_prompt(environ, program=program)
        if out:
            break
    return code, out, err


@pytest.mark.parametrize(
    ("left_secs", "text"),
    [
        (1500, "25m"),
        (1499, "25m"),
        (1441, "25m"),
        (1440, "24m"),
        (60.5, "2m"),
        (60, "1m"),
        (1, "1m"),
        (0.5, "1m"),
        (0, "+0m"),
        (-0.5, "+0m"),
        (-59.5, "+0m"),
        (-60, "+1m"),
        (-479, "+7m"),
    ],
)
def test_the_minute_that_runs_is_counted_until_the_end_and_not_after_it(
    left_secs: float, text: str
) -> None:
    assert minutes(int(NOW), NOW - left_secs) == text


def test_without_an_end_there_are_no_minutes() -> None:
    assert minutes(0, NOW) == ""


@pytest.mark.parametrize(
    ("runtime", "drift", "open_drift", "stale", "text"),
    [
        ("idle", "idle", "none", False, ""),
        ("planning", "idle", "none", False, "planning"),
        ("active", "idle", "none", False, "focus 12m"),
        ("active", "pending", "none", False, "focus 12m"),
        ("active", "ontask", "none", False, "on task 12m"),
        ("active", "drifting", "open", False, "drifting! 12m"),
        ("active", "idle", "open", False, "drifting! 12m"),
        ("active", "ontask", "past", False, "drifted 12m"),
        ("active", "drifting", "open", True, "stale"),
        ("review", "idle", "none", False, "review"),
    ],
)
def test_the_segment_says_what_matters_most(
    runtime: str, drift: str, open_drift: str, text: str, *, stale: bool
) -> None:
    status = PromptStatus(1, runtime, drift, open_drift, stale, int(NOW) + 720)

    assert segment(status, NOW) == text


def test_it_prints_the_segment(home: Home) -> None:
    home.write(a_status(drift="ontask"))

    assert run_patiently(home.environ) == (0, "on task 13m\n", "")


def test_the_verb_prints_the_same(
    home: Home, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write(a_status(drift="ontask"))
    monkeypatch.setenv("ANTIDRIFT_SOCKET", str(home.file.with_name("antidrift.sock")))

    assert antidrift("prompt") == (0, "on task 13m\n", "")
    home.write(a_status("idle"))
    assert antidrift("prompt") == (0, "", "")


def test_as_json_it_prints_what_the_file_says(
    home: Home, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = a_status(drift="ontask")
    home.write(status)
    monkeypatch.setenv("ANTIDRIFT_SOCKET", str(home.file.with_name("antidrift.sock")))
    code, out, err = antidrift("prompt", "--json")

    assert (code, json.loads(out), err) == (0, status.members(), "")
    home.file.unlink()
    assert antidrift("prompt", "--json") == (0, "{}\n", "")


def test_its_help_is_that_of_any_verb() -> None:
    done = subprocess.run(command("prompt", "--help"), capture_output=True, text=True, check=True)

    assert done.stdout.startswith("Usage: antidrift prompt")


def test_it_imports_a_few_modules_of_ours_and_of_others_only_what_python_has_at_hand(
    home: Home,
) -> None:
    home.write(a_status(drift="ontask"))
    program = [sys.executable, "-c", LOADED, "prompt"]
    code, out, modules = run_patiently(home.environ, program=program)
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert (code, out) == (0, "on task 13m\n")
    assert set(modules.split()) - set(bare.stdout.split()) == OURS | {"pwd"}
    assert "pwd" in sys.builtin_module_names


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"2 1 idle idle none 0 0\n",
        b"\xff" * 50,
        bytes(range(256)),
        encode(a_status())[:-1],
        encode(a_status())[:-1] + b" " * MAX_LINE_BYTES + b"\n",
        b"1 " * 10_000,
    ],
    # By number: what holds the time or a pid has another name in each worker.
    ids=range(8),
)
def test_a_file_that_is_not_the_daemons_says_nothing(home: Home, content: bytes) -> None:
    home.write(content)

    assert read_status(home.environ) is None


def test_a_daemon_that_died_says_nothing(home: Home) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    home.write(a_status(pid=ended.pid))

    assert read_status(home.environ) is None


def trouble(home: Home, kind: str) -> dict[str, str]:
    """Make trouble, and return an environment that leads to it."""
    home.file.parent.mkdir(parents=True)
    match kind:
        case "a directory":
            home.file.mkdir()
        case "a FIFO":
            os.mkfifo(home.file)
        case "a loop of links":
            home.file.symlink_to(home.file)
        case "a huge file":
            with home.file.open("wb") as file:
                file.truncate(1 << 40)
        case "an endless device":
            home.file.symlink_to("/dev/zero")
        case "a socket's path that is too long":
            return {**home.environ, "ANTIDRIFT_SOCKET": "/" + "a" * 4_000}
        case "no home":
            return {"PATH": os.environ["PATH"], "HOME": ""}
        case _:
            assert kind == "no file"
    return home.environ


@pytest.mark.parametrize(
    "kind",
    [
        "no file",
        "a directory",
        "a FIFO",
        "a loop of links",
        "a huge file",
        "an endless device",
        "a socket's path that is too long",
        "no home",
    ],
)
def test_whatever_stands_in_the_files_place_it_says_nothing(home: Home, kind: str) -> None:
    assert run_prompt(trouble(home, kind)) == (0, "", "")


def test_it_asks_no_daemon(daemon: FakeDaemon) -> None:
    assert run_prompt(daemon.environ) == (0, "", "")
    assert daemon.asked == []


def test_a_stopped_daemon_holds_nothing_up(home: Home) -> None:
    with subprocess.Popen(["sleep", "60"]) as stopped:
        stopped.send_signal(signal.SIGSTOP)
        home.write(a_status(drift="ontask", pid=stopped.pid))
        shown = run_patiently(home.environ)
        stopped.kill()

    assert shown == (0, "on task 13m\n", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_a_closed_or_full_stream_is_no_trouble(home: Home, closed: str) -> None:
    home.write(a_status(drift="ontask"))
    program = ["sh", "-c", f'"$@" {closed}', "sh", *command("prompt")]
    code, _, err = run_prompt(home.environ, program=program)

    assert (code, err) == (0, "")


def test_when_nobody_takes_what_it_prints_it_gives_up(home: Home) -> None:
    home.write(a_status(drift="ontask"))
    reader, writer = os.pipe()
    room = fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)
    assert os.write(writer, bytes(room)) == room
    done = subprocess.run(
        command("prompt"),
        env=home.environ,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE_SECS,
    )
    os.close(writer)
    os.close(reader)

    assert (done.returncode, done.stderr) == (0, b"")
