"""What `shell-init` prints: code that reads the daemon's file and starts nothing."""

import json
import os
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path

import pytest

from protocol.paths import prompt_path, socket_path
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import command
from tests.cli.shells import (
    READY,
    SHELLS,
    Home,
    a_status,
    good,
    load_line,
    open_shell,
    run_code,
    said,
)

OURS = re.compile(r"|planning|review|stale|(focus|on task|drifting!|drifted)( \+?\d{1,12}m)?")
SPOILING = (b"", b" ", b"\n", b"0", b"9" * 15, b"\x00", b"\xff", b"\\", b"$(touch canary)", b"*")
TELL = 'printf "%s" "$__antidrift_text"'

every_shell = pytest.mark.parametrize("name", SHELLS)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"XDG_RUNTIME_DIR": "{}/run"},
        {"XDG_RUNTIME_DIR": "run"},
        {"XDG_STATE_HOME": "{}/state"},
        {"XDG_STATE_HOME": "state"},
        {"ANTIDRIFT_STATE_DIR": "{}/own state"},
        {"ANTIDRIFT_STATE_DIR": "~/own"},
        {"ANTIDRIFT_STATE_DIR": "own"},
        {"ANTIDRIFT_STATE_DIR": "{}/own", "XDG_RUNTIME_DIR": "{}/run"},
        {"ANTIDRIFT_SOCKET": "{}/a place/sock", "XDG_RUNTIME_DIR": "{}/run"},
        {"ANTIDRIFT_SOCKET": "~/sock"},
        {"ANTIDRIFT_SOCKET": "./sock"},
        {"ANTIDRIFT_SOCKET": "sock"},
        {"ANTIDRIFT_SOCKET": "", "XDG_RUNTIME_DIR": "{}/run"},
    ],
    ids=str,
)
@every_shell
def test_the_file_is_looked_for_where_the_daemon_keeps_it(
    name: str, variables: dict[str, str]
) -> None:
    # In a short directory: the path of a socket has 107 bytes at most.
    with tempfile.TemporaryDirectory() as short:
        named = {key: value.format(short) for key, value in variables.items()}
        environ = {"PATH": os.environ["PATH"], "HOME": short, **named}
        file = Path(short, prompt_path(socket_path(environ)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(good())

        done = run_code(name, f"__antidrift_segment; {TELL}", environ, Path(short))

    assert (done.stdout, done.stderr) == ("on task 13m", "")


@every_shell
def test_of_a_spoilt_line_only_our_own_words_and_a_number_come_out(
    tmp_path: Path, name: str
) -> None:
    lines = spoilt_lines(good())
    for number, line in enumerate(lines):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "prompt").write_bytes(line)
    numbers = " ".join(map(str, range(len(lines))))
    read = f"export ANTIDRIFT_SOCKET=$n/sock; __antidrift_segment; {TELL}; echo"
    body = f"{read}; end" if name == "fish" else f"do {read}; done"
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    done = run_code(name, f"for n in {numbers}; {body}", environ, tmp_path)

    shown = done.stdout.splitlines()
    assert (len(shown), done.stderr) == (len(lines), "")
    assert [text for text in shown if not OURS.fullmatch(text)] == []
    assert 0 < shown.count("") < len(lines)
    assert not (tmp_path / "canary").exists()


def spoilt_lines(line: bytes) -> list[bytes]:
    """Return `line` with something put in, or in place of a few letters, at each of its places."""
    return [
        line[:at] + new + line[at + length :]
        for at in range(len(line))
        for new in SPOILING
        for length in (0, 4)
    ]


@every_shell
def test_a_prompt_starts_no_process(home: Home, name: str) -> None:
    home.write(good())
    few = processes_for(name, home, prompts=2)

    # Fewer is fine: fish starts some when it finds a new home.
    assert processes_for(name, home, prompts=12) <= few


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("bash", f"PS1='$(:){READY}'"),
        ("zsh", f"setopt prompt_subst; PROMPT='$(:){READY}'"),
        ("fish", f"function fish_prompt; command true; printf '{READY}'; end"),
    ],
)
def test_a_process_would_be_seen(home: Home, name: str, prompt: str) -> None:
    home.write(good())
    few = processes_for(name, home, prompts=2, after=prompt)

    assert processes_for(name, home, prompts=12, after=prompt) > few


def processes_for(name: str, home: Home, *, prompts: int, after: str = "") -> int:
    """Return how many processes a shell starts from its beginning to its end; threads are none."""
    trace = home.directory / "trace"
    under = ["strace", "-f", "-qq", "-e", "trace=process", "-o", str(trace)]
    with open_shell(name, home, under=under, after=after) as shell:
        shown = {shell.prompt_after() for _ in range(prompts)}
        shell.leave()
    assert "on task 13m " in shown
    calls = re.findall(r"^\d+ +(?:v?fork|clone3?|execve)\(.*", trace.read_text(), re.M)
    return sum("CLONE_THREAD" not in call for call in calls)


def test_what_starship_runs_prints_the_same(home: Home) -> None:
    done = subprocess.run(
        command("shell-init", "starship"), capture_output=True, text=True, check=True
    )
    table = tomllib.loads(done.stdout)["custom"]["antidrift"]
    expected, shown = said(), {}
    for status in expected:
        home.write(status)
        done = subprocess.run(
            table["shell"],
            input=table["command"],
            env=home.environ,
            capture_output=True,
            text=True,
            check=True,
        )
        shown[status] = (done.stdout.strip(), done.stderr)

    assert shown == {status: (text.strip(), "") for status, text in expected.items()}


def test_powerlevel10k_gets_a_segment_of_its_own(home: Home) -> None:
    script = f'p10k() {{ print -r -- "$@" }}; {load_line("p10k")}; prompt_antidrift'
    shown = []
    for status in (a_status("idle"), a_status(drift="ontask"), a_status(stale=True)):
        home.write(status)
        done = subprocess.run(
            ["zsh", "-f", "-c", script],
            env=home.environ,
            capture_output=True,
            text=True,
            check=True,
        )
        shown.append(done.stdout + done.stderr)

    assert shown == ["", "segment -t on task 13m\n", "segment -f red -t stale\n"]


@pytest.mark.parametrize("name", [*SHELLS, "p10k", "starship"])
def test_as_json_it_is_the_same_code(antidrift: Antidrift, name: str) -> None:
    code, plain, err = antidrift("shell-init", name)

    assert (code, err) == (0, "")
    _, out, _ = antidrift("shell-init", name, "--json")
    assert json.loads(out) == {"shell": name, "code": plain}


def test_another_shell_is_a_wrong_usage(antidrift: Antidrift) -> None:
    code, out, err = antidrift("shell-init", "csh")

    assert (code, out) == (2, "")
    assert "bash" in err


def test_fish_counts_the_minutes_anew_once_one_has_gone_by(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write(a_status(drift="ontask"))
    code = """
        __antidrift_segment; echo $__antidrift_text
        set -g __antidrift_minutes ' 99m'
        __antidrift_segment; echo $__antidrift_text
        set -g __antidrift_until 0
        __antidrift_segment; echo $__antidrift_text
    """
    done = run_code("fish", code, home.environ, tmp_path)

    assert done.stdout.splitlines() == ["on task 13m", "on task 99m", "on task 13m"]
    assert done.stderr == ""
