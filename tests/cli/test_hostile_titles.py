"""Hostile titles on every surface of the client: nothing runs, hides, or forges a line."""

import html
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from antidrift_cli.bars import FORMATS
from antidrift_cli.completing import SHELLS
from protocol.errors import RpcError
from tests.cli import titled
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import INFO, FakeDaemon, run_client
from tests.cli.live.moments import with_time_left
from tests.cli.live.viewer import open_viewer
from tests.cli.live.watching import watching
from tests.cli.samples import ACTIVE, IDLE, allowing
from tests.cli.titled import INNOCENT, faults, is_torn
from tests.hostile_titles import CANARY, TITLES, hidden_in

_STUBS: Final = {
    "bash": """antidrift() { printf '%s\\0' "$@"; printf '\\0'; }""",
    "zsh": """antidrift() { printf '%s\\0' "$@"; printf '\\0'; }""",
    "fish": r"function antidrift; printf '%s\0' $argv; printf '\0'; end",
}
_ONTASK: Final = ("on task", "on task", "undo", "undo")
VERBS: Final = {
    "active": ("status", "refocus", "start", "ontask"),
    "planning": ("status", "tasks"),
}


@pytest.fixture(autouse=True)
def _nothing_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a directory of its own, in which nobody has made a file at the end."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / CANARY).exists()


def run_verbs(antidrift: Antidrift, daemon: FakeDaemon, title: str) -> dict[str, str]:
    """Return what is printed with this title in each state, by the verbs that print any."""
    printed = {}
    for state in titled.EVERY:
        daemon.state = state(title)
        for verb in VERBS.get(state.__name__, ("status",)):
            printed[f"{verb}, {state.__name__}"] = "\n".join(map(str, antidrift(verb)))
    daemon.answers |= {"why": titled.why(title), "state": RpcError("wrong_state", title, "idle")}
    for verb in ("why", "status"):
        printed[verb] = "\n".join(map(str, antidrift(verb)))
    del daemon.answers["state"]
    return printed


def test_no_title_does_more_to_what_a_verb_prints_than_an_innocent_one(
    antidrift: Antidrift, daemon: FakeDaemon
) -> None:
    usual = run_verbs(antidrift, daemon, INNOCENT)
    for title in TITLES:
        printed = run_verbs(antidrift, daemon, title)
        found = {verb: faults(printed[verb], usual[verb], title) for verb in usual}
        assert {verb: each for verb, each in found.items() if each} == {}, title[:80]


def test_the_check_finds_titles_that_are_printed_as_they_are(
    antidrift: Antidrift, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control, without what makes text visible."""
    daemon.state = titled.active(INNOCENT)
    usual = antidrift("status")[1]
    monkeypatch.setattr("antidrift_cli.output.visible", str)
    for module in ("render", "allowances"):
        monkeypatch.setattr(f"antidrift_cli.{module}.cut", lambda text, columns: text[:columns])
    for title in filter(hidden_in, TITLES):
        daemon.state = titled.active(title)
        assert faults(antidrift("status")[1], usual, title), title[:80]


def test_json_of_every_title_is_ascii_and_exact(antidrift: Antidrift, daemon: FakeDaemon) -> None:
    for title in TITLES:
        daemon.state = titled.active(title)
        daemon.answers["why"] = titled.why(title)
        status, why = antidrift("status", "--json")[1], antidrift("why", "--json")[1]

        assert (status + why).isascii()
        assert (status + why).replace("\n", "").isprintable()
        assert json.loads(status)["window"]["title"] == title
        assert json.loads(why)["reason"] == title


@pytest.mark.parametrize("shell", SHELLS)
def test_what_undoes_an_answer_means_that_title_and_no_more(
    shell: str, antidrift: Antidrift, daemon: FakeDaemon, tmp_path: Path
) -> None:
    daemon.state = ACTIVE
    undone = []
    for title in TITLES:
        daemon.answers["ontask"] = allowing(ACTIVE, classes=(title,), titles=(f"={title}",))
        lines = antidrift("ontask")[1].split("\n")
        assert [line.partition(":")[0] for line in lines] == [*_ONTASK, "drift", ""]
        undone += [(title, line.removeprefix("undo: ")) for line in lines[2:4]]

    said = words_of(shell, [line for _, line in undone], tmp_path)
    for (title, line), words in zip(undone, said, strict=True):
        assert words[0] == "disallow", line
        assert words[1:] in ways_to_name(title), line


def ways_to_name(title: str) -> list[list[str]]:
    """Return the words after `disallow` that take a class or a page back, or the last of all."""
    return [[], ["--class", title], [f"--class={title}"], ["--title", f"={title}"]]


def words_of(shell: str, lines: list[str], directory: Path) -> list[list[str]]:
    """Return the words that `antidrift` gets when each of `lines` is run in a shell."""
    script = directory / "script"
    script.write_text("\n".join([_STUBS[shell], *lines, ""]))
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(directory), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [shell, *quiet, script], env=environ, cwd=directory, check=True, capture_output=True
    )
    assert done.stderr == b""
    return [call.split("\0") for call in done.stdout.decode().split("\0\0")[:-1]]


def publish_all(daemon: FakeDaemon) -> threading.Thread:
    """Have the daemon tell of every title, and then go away."""

    def publish() -> None:
        for title in TITLES:
            daemon.publish(with_time_left(titled.active(title), 3600))
        daemon.publish(IDLE)
        daemon.close()

    thread = threading.Thread(target=publish)
    thread.start()
    return thread


def test_watch_in_a_pipe_prints_lines_that_begin_as_ours_do(daemon: FakeDaemon) -> None:
    daemon.state = with_time_left(titled.active(INNOCENT), 3600)
    with watching(daemon.environ) as watch:
        ours = {line[9:].partition(":")[0] for line in watch.lines_until("notice: ")}
        thread = publish_all(daemon)
        lines = watch.lines_until("idle: nothing planned")
        thread.join()

    assert [fault for line in lines for fault in hidden_in(line)] == []
    assert {line[9:].partition(":")[0] for line in lines} == {*ours, "idle"}
    windows = [line for line in lines if line[9:].startswith("window: ")]
    assert not any(is_torn(line, title) for line, title in zip(windows, TITLES, strict=True))


def test_watch_prints_each_title_exactly_as_json(daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--json") as watch:
        watch.line()
        thread = publish_all(daemon)
        lines = [watch.line() for _ in TITLES]
        thread.join()

    assert [json.loads(line)["window"]["title"] for line in lines] == list(TITLES)
    assert all(line.isascii() and line.isprintable() for line in lines)


@pytest.mark.parametrize("bar", FORMATS)
def test_a_bar_gets_one_clean_line_for_each_title(bar: str, daemon: FakeDaemon) -> None:
    with watching(daemon.environ, "--format", bar) as watch:
        watch.line()
        thread = publish_all(daemon)
        lines = watch.lines_until("off")
        thread.join()

    for line in lines:
        said = json.loads(line) if line.startswith("{") else {"text": line}
        for part, text in said.items():
            shown = html.unescape(str(text)) if part == "tooltip" else str(text)
            assert [fault for each in shown.split("\n") for fault in hidden_in(each)] == []
            assert shown.count("\n") <= (1 if part == "tooltip" else 0)
            assert part != "tooltip" or not set("<>") & set(text)


@pytest.mark.parametrize("size", [(100, 40), (40, 24)], ids=str)
def test_the_live_view_writes_no_code_but_ours_and_fits(
    size: tuple[int, int], daemon: FakeDaemon
) -> None:
    daemon.state = with_time_left(titled.active(INNOCENT), 3600)
    with open_viewer(daemon, size=size) as viewer:
        viewer.sees("q quit")
        for number, title in enumerate(TITLES):
            state = with_time_left(titled.active(title), 3600)
            assert state.commitment
            marked = replace(state.commitment, success_condition=f"mark {number}.")
            daemon.publish(replace(state, commitment=marked))
            rows = viewer.sees(f"mark {number}.")
            assert [fault for row in rows for fault in hidden_in(row)] == []
            assert (title[:80], viewer.picture.widest() <= size[0]) == (title[:80], True)
            assert len(rows) <= size[1]
            assert not any(is_torn(row, title) for row in rows)


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_offers_only_what_can_be_read(shell: str, daemon: FakeDaemon) -> None:
    daemon.info = replace(INFO, seen_classes=TITLES)
    for typed in ("ontask --class ", "start -a "):
        environ = {"_ANTIDRIFT_COMPLETE": f"{shell}_complete", "COMP_WORDS": f"antidrift {typed}"}
        done = run_client(environ={**daemon.environ, **environ})
        lines = done.stdout.decode().removesuffix("\n").split("\n")

        assert (done.returncode, done.stderr) == (0, b"")
        assert len(lines) > 150
        assert all(line.startswith(":") for line in lines)
        assert [fault for line in lines for fault in hidden_in(re.sub(r"\\(.)", r"\1", line))] == []
