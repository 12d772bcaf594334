"""The command as a process: exit codes, bad input, odd streams, hostile text."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from antidrift_cli.verbs import VERBS
from protocol import views
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command, protocol_of, run_client
from tests.cli.samples import ACTIVE, DRIFTING, IDLE, OPEN, VIDEO
from tests.cli.test_render import HOSTILE_TITLE

WITHOUT_A_DAEMON = {
    "completion",
    "demo",
    "doctor",
    "prompt",
    "service",
    "shell-init",
    "log",
    "report",
    "export",
    "evaluate",
}
"""The verbs that have something to say even so."""

NO_LENGTH = "is no length of time: write 25 (minutes), 25m, 90s or 1h30m"
USAGE_ERRORS: dict[tuple[str, ...], str] = {
    ("fly",): "no such verb: fly; there are: plan, tasks, coach, ",
    ("statsu",): "no such verb: statsu; did you mean status",
    ("--fly",): "No such option '--fly'",
    ("status", "--fly"): "No such option '--fly'",
    ("status", "now"): "unexpected extra argument",
    ("start", "-t"): "requires an argument",
    ("start", "-t", "1x"): NO_LENGTH,
    ("start", "-t", ""): NO_LENGTH,
    ("start", "-t", "-5"): NO_LENGTH,
    ("start", "-t", "0"): "from 1s to 24h is allowed",
    ("start", "-t", "25h"): "from 1s to 24h is allowed",
    ("start", "-a", ""): "a window class is empty",
    ("start", "-a", "code,"): "a window class is empty",
    ("start", "-a", "code, ,gimp"): "a window class is empty",
    ("start", "--allow-title", " "): "an empty title matches all",
    ("log", "-n", "x"): "'x' is no number of sessions: write one from 1 to 999999",
    ("log", "-n", "0"): "'0' is no number of sessions",
    ("report", "--since", "soon"): "'soon' is no date: write 2026-11-30",
    ("harvest", "--include-incomplete", "list"): "--include-incomplete does not go with list",
    ("extend",): "say by how much: a DURATION such as 10m, or --away",
    ("extend", "-5"): NO_LENGTH,
    ("extend", "1x"): NO_LENGTH,
    ("extend", "--fly"): NO_LENGTH,
    ("extend", "10m", "10m"): "unexpected extra argument",
    ("extend", "\x1b[2J"): NO_LENGTH,
    ("review", "--outcome", "great"): "'great' is not one of 'done', 'partial', 'dropped'",
    ("ontask", "--class", "a", "--title", "b"): "name a class or a title, not both",
    ("disallow", "--class", "a", "--title", "b"): "name a class or a title, not both",
    ("plan", "x", "--task", "1"): "give an intent or a task, not both",
    ("coach", "--edit", "--no-wait"): "give --no-wait or --edit, not both",
    ("knowledge-path", "x", "--reset"): "give a path or --reset, not both",
    ("knowledge-path", ""): "the path is empty",
    ("plan", "x" * 70_000): "too long: a request has at most 65536 bytes",
    ("plan", *["x" * 1000] * 10_000): "too long: a request has at most 65536 bytes",
    ("start", "-t", "9" * 100_000): NO_LENGTH,
    ("y" * 100_000,): "no such verb: yyy",
}


@pytest.mark.parametrize("args", USAGE_ERRORS, ids=lambda args: f"{len(args)} {args}"[:40])
def test_bad_input_is_one_clear_line_and_exit_code_2(
    daemon: FakeDaemon, antidrift: Antidrift, args: tuple[str, ...]
) -> None:
    code, out, err = antidrift(*args)
    json_code, json_out, json_err = antidrift(args[0], "--json", *args[1:])

    assert (code, out) == (2, "")
    assert err.startswith("antidrift: ")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    assert USAGE_ERRORS[args] in err
    assert len(err) < 500
    assert daemon.methods() == []
    error = json.loads(json_out)["error"]
    assert (json_code, json_err) == (2, "")
    assert (error["code"], error["kind"]) == (2, "usage")


def test_without_a_verb_the_help_is_shown(antidrift: Antidrift) -> None:
    code, out, err = antidrift()

    assert (code, out) == (2, "")
    assert "Usage: antidrift" in err


@pytest.mark.parametrize("verb", sorted(set(VERBS) - WITHOUT_A_DAEMON))
def test_without_a_daemon_every_verb_exits_with_3_and_says_how_to_start_it(verb: str) -> None:
    arguments = {"extend": ["10m"], "capture": ["a thought"]}.get(verb, [])
    environ = {**os.environ, "ANTIDRIFT_SOCKET": "/nowhere/a.sock"}
    plain = run_client(verb, *arguments, environ=environ)
    as_json = run_client(verb, *arguments, "--json", environ=environ)

    assert (plain.returncode, plain.stdout) == (3, b"")
    assert plain.stderr.count(b"\n") == 1
    assert b"/nowhere/a.sock: start it with `antidriftd`" in plain.stderr
    assert (as_json.returncode, as_json.stderr) == (3, b"")
    assert json.loads(as_json.stdout)["error"]["kind"] == "no_daemon"


def test_another_protocol_is_exit_code_4(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.info = protocol_of(2, "3.0.0")
    code, _, err = antidrift("status")

    assert code == 4
    assert err.count("\n") == 1


def test_a_stopped_daemon_is_given_up_after_ten_seconds(daemon: FakeDaemon) -> None:
    daemon.answers["info"] = b""
    done = run_client("status", environ=daemon.environ)

    assert done.returncode == 3
    assert b"no answer in time" in done.stderr


def test_an_argument_that_is_no_text_is_refused(daemon: FakeDaemon) -> None:
    done = run_client("plan", b"caf\xe9", environ=daemon.environ)

    assert done.returncode == 2
    assert done.stderr == b"antidrift: not UTF-8 text: caf\\udce9\n"
    assert daemon.methods() == []


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ],
    ids=str,
)
def test_any_locale_can_show_any_title(daemon: FakeDaemon, locale: Mapping[str, str]) -> None:
    assert ACTIVE.window
    daemon.state = replace(ACTIVE, window=replace(ACTIVE.window, title="日本 \U0001f600"))
    for flags in ([], ["--json"]):
        done = run_client("status", *flags, environ={**daemon.environ, **locale})
        assert (done.returncode, done.stderr) == (0, b"")
        if flags:
            assert json.loads(done.stdout)["window"]["title"] == "日本 \U0001f600"


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_output_that_nobody_reads_is_no_error(daemon: FakeDaemon, flags: list[str]) -> None:
    daemon.state = replace(IDLE, notices=tuple(str(number) * 100 for number in range(2000)))
    done = run_client("status", *flags, environ=daemon.environ, then="| head -c 1")

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["status"], 0),
        (["status", "--json"], 0),
        (["watch"], 0),
        (["--help"], 0),
        (["extend", "0", "--json"], 2),
    ],
)
def test_a_reader_that_left_before_the_first_byte_is_no_error(
    daemon: FakeDaemon, args: list[str], code: int
) -> None:
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    done = subprocess.run(
        command(*args),
        env=daemon.environ,
        stdout=writing_end,
        stderr=subprocess.PIPE,
        timeout=PATIENCE_SECS,
        check=False,
    )
    os.close(writing_end)

    assert (done.returncode, done.stderr) == (code, b"")


def test_a_full_disk_under_the_output_is_named(daemon: FakeDaemon) -> None:
    done = run_client("status", environ=daemon.environ, then="> /dev/full")

    assert done.returncode == 1
    assert done.stderr == b"antidrift: can't write the output: No space left on device\n"


@pytest.mark.parametrize("then", [">&-", "2>&-", "<&-", ">&- 2>&- <&-", "2> /dev/full"])
def test_closed_streams_do_no_harm(daemon: FakeDaemon, then: str) -> None:
    daemon.state = replace(IDLE, notices=("a notice",))
    done = run_client("plan", "x", environ=daemon.environ, then=then)

    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert daemon.params("plan") == {"intent": "x"}


@pytest.mark.parametrize("method", ["info", "state"])
def test_ctrl_c_is_exit_code_130_without_a_traceback(daemon: FakeDaemon, method: str) -> None:
    daemon.answers[method] = b""
    with subprocess.Popen(
        command("status"), env=daemon.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        daemon.wait_until_asked(method)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECS)

    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.fault("T6", "title to the terminal")
def test_a_hostile_title_forges_nothing(daemon: FakeDaemon) -> None:
    """No control reaches the terminal, and each line still begins with our own word."""
    subject = replace(VIDEO, title=HOSTILE_TITLE, window_class=HOSTILE_TITLE)
    assert DRIFTING.window
    assert DRIFTING.commitment
    daemon.state = replace(
        DRIFTING,
        window=replace(DRIFTING.window, title=HOSTILE_TITLE, window_class=HOSTILE_TITLE),
        drift=views.Drift(
            status="idle",
            reason=HOSTILE_TITLE,
            open_drift=replace(OPEN, subject=subject, reason=HOSTILE_TITLE),
        ),
        commitment=replace(DRIFTING.commitment, next_action=HOSTILE_TITLE),
        notices=(HOSTILE_TITLE,),
    )
    done = run_client("status", environ=daemon.environ)
    as_json = run_client("status", "--json", environ=daemon.environ)

    lines = done.stdout.decode().removesuffix("\n").split("\n")
    assert [line.split(":")[0] for line in lines] == [
        *["active", "done when", "time", "allowed", "window", "drift", "unanswered", "answer"],
        *["so far", "notice"],
    ]
    assert all(line.isprintable() for line in lines)
    assert all(0x20 <= byte < 0x7F for byte in as_json.stdout.removesuffix(b"\n"))
