"""The segment in the prompts of real shells: what it says, and what it leaves alone."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.shells import (
    READY,
    RED,
    SHELLS,
    Home,
    a_status,
    good,
    load_line,
    open_shell,
    said,
)

every_shell = pytest.mark.parametrize("name", SHELLS)


GOOD = good()
HOSTILE = (
    b"",
    b"\n",
    b" " * 50,
    GOOD.rstrip(),
    GOOD.replace(b"1", b"2", 1),
    GOOD.replace(b"\n", b" more\n"),
    GOOD.replace(b"active", b"$(touch${IFS}canary)"),
    GOOD.replace(b"active", b"`touch${IFS}canary`"),
    GOOD.replace(b"active", b"<(touch${IFS}canary)"),
    GOOD.replace(b"ontask", b"%F{red}%n"),
    GOOD.replace(b"ontask", b"\\w\\u\x1b[31m\x1b]0;title\x07"),
    GOOD.replace(b"none", b"*"),
    GOOD.replace(b"none", b"none;touch canary"),
    re.sub(rb"\d+\n", b"a[$(touch${IFS}canary)]\n", GOOD),
    re.sub(rb"\d+\n", b"x=1\n", GOOD),
    re.sub(rb"\d+\n", b"-5\n", GOOD),
    re.sub(rb"\d+\n", b"9" * 40 + b"\n", GOOD),
    re.sub(rb"^1 \d+", b"1 0", GOOD),
    re.sub(rb"^1 \d+", b"1 self", GOOD),
    re.sub(rb"^1 \d+", b"1 ../proc/1", GOOD),
    b"1 " * 5_000 + b"\n",
    b"A" * 10_000,
    GOOD.rstrip() + b"0" * 10_000 + b"\n",
    b"\x00" * 5_000,
    bytes(range(256)),
    b"\xff\xfe\xfd\n",
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@every_shell
def test_a_prompt_says_how_the_session_stands(home: Home, name: str) -> None:
    with open_shell(name, home) as shell:
        expected, shown = said(), {}
        for status in expected:
            home.write(status)
            shown[status] = shell.prompt_after()

    assert shown == expected


@every_shell
@pytest.mark.fault("T7", "title to the shell prompt")
def test_nothing_that_a_file_holds_is_shown_or_run_unless_it_is_the_daemons_line(
    home: Home, name: str
) -> None:
    with open_shell(name, home) as shell:
        for content in HOSTILE:
            home.write(content)
            assert (content, shell.prompt_after()) == (content, "")

        home.write(good())
        assert shell.prompt_after() == "on task 13m "
    assert not (home.directory / "canary").exists()


@every_shell
def test_without_a_readable_file_of_a_living_daemon_a_prompt_says_nothing(
    home: Home, name: str
) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    home.write(a_status(pid=ended.pid))
    with open_shell(name, home) as shell:
        assert shell.prompt_after() == ""
        home.file.unlink()
        assert shell.prompt_after() == ""
        home.file.mkdir()
        assert shell.prompt_after() == ""
        home.file.rmdir()
        os.mkfifo(home.file)
        assert shell.prompt_after() == ""
        home.file.unlink()
        home.file.symlink_to(home.file)
        assert shell.prompt_after() == ""
        home.file.unlink()
        home.write(good())
        assert shell.prompt_after() == "on task 13m "


@every_shell
def test_only_alarms_are_coloured(home: Home, name: str) -> None:
    home.write(a_status(drift="ontask"))
    with open_shell(name, home) as shell:
        assert RED not in shell.raw_prompt_after()
        for alarm in (a_status(open_drift="open"), a_status(stale=True)):
            home.write(alarm)
            assert RED in shell.raw_prompt_after()
            assert RED not in shell.raw_prompt_after().partition(RED)[2]


@every_shell
def test_nothing_is_coloured_for_who_wants_no_colour(home: Home, name: str) -> None:
    home.write(a_status(open_drift="open"))
    with open_shell(name, home, NO_COLOR="1") as shell:
        shown = shell.raw_prompt_after()

    assert "drifting! 13m " in shown
    assert RED not in shown


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("bash", f"PS1='[$?] {READY}'"),
        ("bash", f"""PROMPT_COMMAND='PS1="[$?] {READY}"'"""),
        ("zsh", f"PROMPT='[%?] {READY}'"),
        ("zsh", f"setopt prompt_subst; PROMPT='[$?] {READY}'"),
        ("zsh", f'precmd() {{ PROMPT="[$?] {READY}" }}'),
        ("fish", f"function fish_prompt; printf '[%s] {READY}' $status; end"),
        ("fish", f"function fish_prompt; printf '[%s] {READY}' $pipestatus[1]; end"),
    ],
)
def test_the_users_own_prompt_still_sees_the_last_exit_status(
    home: Home, name: str, prompt: str
) -> None:
    home.write(good())
    with open_shell(name, home, before=prompt) as shell:
        assert shell.prompt_after("sh -c 'exit 3'") == "on task 13m [3] "
        assert shell.prompt_after("true") == "on task 13m [0] "


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bash", "shopt -u promptvars"),
        ("bash", "set -o posix"),
        ("bash", "set -u"),
        ("bash", "set -e"),
        ("bash", "set -euo pipefail; set -o noglob; IFS=:"),
        ("bash", "PROMPT_COMMAND='true; '"),
        ("bash", "PROMPT_COMMAND='true # why'"),
        ("bash", "PROMPT_COMMAND=(true 'true;')"),
        ("zsh", "setopt prompt_subst"),
        ("zsh", "setopt prompt_bang"),
        ("zsh", "setopt no_unset"),
        ("zsh", "setopt err_exit"),
        ("zsh", "setopt ksh_arrays sh_word_split no_glob warn_create_global"),
        ("zsh", "precmd_functions=(true)"),
        ("fish", "set -g IFS :"),
        ("fish", "function fish_mode_prompt; end"),
    ],
)
def test_settings_of_the_user_change_nothing_and_stay(home: Home, name: str, settings: str) -> None:
    home.write(a_status(open_drift="open"))
    with open_shell(name, home, before=settings) as shell:
        assert shell.prompt_after() == "drifting! 13m "
        home.file.unlink()
        assert shell.prompt_after() == ""
        assert re.sub(READY, "", shell.seen).count("rror") == 0, shell.seen


def test_a_bash_that_ends_at_the_first_failure_survives_its_prompt(home: Home) -> None:
    home.write(good())
    with open_shell("bash", home, after="set -e") as shell:
        assert shell.prompt_after("! true") == "on task 13m "
        assert shell.prompt_after() == "on task 13m "


@every_shell
def test_loaded_twice_it_shows_once(home: Home, name: str) -> None:
    home.write(good())
    with open_shell(name, home, loads=2) as shell:
        assert shell.prompt_after() == "on task 13m "
        assert shell.prompt_after(load_line(name)) == "on task 13m "


@every_shell
def test_it_can_be_taken_out_and_put_in_again(home: Home, name: str) -> None:
    home.write(good())
    with open_shell(name, home) as shell:
        assert shell.prompt_after() == "on task 13m "
        assert shell.prompt_after("antidrift_prompt_off") == ""
        assert shell.prompt_after() == ""
        assert shell.prompt_after(load_line(name)) == "on task 13m "


@pytest.mark.parametrize("commands", ["'a; b'", "(a 'b; c')"])
def test_taken_out_it_leaves_bash_as_it_was(home: Home, commands: str) -> None:
    rc = f"a() {{ :; }}; b() {{ :; }}; c() {{ :; }}; PROMPT_COMMAND={commands}"
    tell = 'printf "<%s>" "${PROMPT_COMMAND[@]}" "$PS1" >"$HOME/told"'
    with open_shell("bash", home, before=f"{rc}; {tell}") as shell:
        before = (home.directory / "told").read_text()
        shell.prompt_after(tell)
        while_loaded = (home.directory / "told").read_text()
        shell.prompt_after(f"antidrift_prompt_off; {tell}")
        after = (home.directory / "told").read_text()

    assert before == after != while_loaded


@pytest.mark.parametrize(("name", "variable"), [("bash", "PS1"), ("zsh", "PROMPT")])
def test_where_others_have_put_something_before_it_the_segment_is_renewed_in_place(
    home: Home, name: str, variable: str
) -> None:
    home.write(good())
    with open_shell(name, home) as shell:
        moved = shell.prompt_after(f'{variable}="(venv) ${variable}"')
        home.write(a_status("review"))
        renewed = shell.prompt_after()

    assert (moved, renewed) == ("(venv) on task 13m ", "(venv) review ")


def test_fish_shows_the_mode_of_its_vi_keys_as_well(home: Home) -> None:
    home.write(good())
    vi = "function fish_mode_prompt; printf '[mode] '; end"
    with open_shell("fish", home, before=vi) as shell:
        assert shell.prompt_after() == "on task 13m [mode] "
        assert shell.prompt_after("antidrift_prompt_off") == "[mode] "
