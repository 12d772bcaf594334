"""The task source that the settings name: found once, or refused with what is missing."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from antidriftd.adapters.tasks.port import TaskSource
from antidriftd.adapters.tasks.sources import SourceName, task_source
from antidriftd.core.model import Task
from antidriftd.programs.errors import ProgramError
from tests.fakes import ai
from tests.fakes.ai import answers, write_program


def make(
    name: SourceName, *, command: str = "", file: str = "", **environ: str
) -> TaskSource | None:
    return task_source(
        name,
        command=command,
        file=file,
        environ={"PATH": "/usr/bin:/bin", "HOME": "/no/such/home"} | environ,
        pass_env=["LIST_KEY"],
        utc=lambda: 1_796_040_000.0,
    )


async def fetch(source: TaskSource | None) -> tuple[Task, ...]:
    assert source is not None
    return await source.fetch()


def test_none_is_no_source() -> None:
    assert make("none", command="'", file="/no/such/file") is None


@pytest.mark.parametrize("name", ["marvin", "command"])
async def test_a_command_is_split_as_a_shell_splits_it_and_run_without_one(
    tmp_path: Path, name: SourceName
) -> None:
    program = write_program(tmp_path, "print(json.dumps(sys.argv[1:]))")
    tasks = await fetch(make(name, command=f"{program} today 'two words' $HOME"))
    assert [task.title for task in tasks] == ["today", "two words", "$HOME"]
    assert {task.source for task in tasks} == {name}


async def test_a_program_is_looked_up_in_the_path_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(tmp_path, answers("buy milk"), "list")
    source = make("command", command="list", PATH=str(tmp_path))
    monkeypatch.setenv("PATH", "/no/such")
    assert [task.title for task in await fetch(source)] == ["buy milk"]


@pytest.mark.parametrize("name", ["marvin", "command"])
def test_a_missing_program_is_named_with_the_path_that_was_searched(name: SourceName) -> None:
    with pytest.raises(ProgramError, match=r"^cannot find no-such-list in PATH=/usr/bin:/bin$"):
        make(name, command="no-such-list today")


def test_a_missing_taskwarrior_is_named_with_the_path_that_was_searched(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=rf"^cannot find task in PATH={tmp_path}$"):
        make("taskwarrior", PATH=str(tmp_path))


@pytest.mark.parametrize("folder", ["planted", "cwd"])
def test_a_program_that_others_could_have_planted_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    planted = tmp_path / folder
    planted.mkdir()
    write_program(planted, answers("[]"), "task")
    monkeypatch.chdir(planted)
    planted.chmod(0o777)
    with pytest.raises(ProgramError, match="cannot find task"):
        make("taskwarrior", PATH=str(planted) if folder == "planted" else ":.")


@pytest.mark.parametrize(
    ("name", "command", "file", "message"),
    [
        ("marvin", "", "", r"^ANTIDRIFT_MARVIN_CMD is not set"),
        ("command", " ", "", r"^`tasks\.command` is not set"),
        ("todotxt", "list", "", r"^`tasks\.file` is not set"),
        ("todotxt", "", " ", r"^`tasks\.file` is not set"),
        ("marvin", "list 'today", "", r"^ANTIDRIFT_MARVIN_CMD: .*No closing quotation"),
        ("command", "list 'today", "", r"^`tasks\.command`: .*No closing quotation"),
        ("command", "''", "", r"cannot find|is not set"),
        ("todotxt", "", "todo.txt", r"must be an absolute path.*not todo\.txt$"),
        ("todotxt", "", ".", r"must be an absolute path"),
        ("todotxt", "", "~ann/todo.txt", r"must be an absolute path"),
    ],
)
def test_what_is_missing_or_wrong_is_told_when_the_source_is_made(
    name: SourceName, command: str, file: str, message: str
) -> None:
    with pytest.raises((ValueError, ProgramError), match=message):
        make(name, command=command, file=file)


async def test_the_file_may_begin_with_the_home_directory(tmp_path: Path) -> None:
    (tmp_path / "todo.txt").write_text("buy milk\n")
    for file in ("~/todo.txt", str(tmp_path / "todo.txt")):
        tasks = await fetch(make("todotxt", file=file, HOME=str(tmp_path)))
        assert [task.title for task in tasks] == ["buy milk"]


@pytest.mark.parametrize("name", ["marvin", "command", "taskwarrior"])
async def test_a_program_gets_no_more_of_the_environment_than_it_needs(
    tmp_path: Path, name: SourceName
) -> None:
    said = tmp_path / "said"
    body = ai.RECORDS.replace("print(", f"open({str(said)!r}, 'w').write(")
    program = write_program(tmp_path, body, "task")
    (tmp_path / ".taskrc").touch()
    given = {
        "HOME": str(tmp_path),
        "PATH": str(tmp_path),
        "LANG": "C.UTF-8",
        "LIST_KEY": "k",
        "TASKRC": str(tmp_path / ".taskrc"),
        "TASKDATA": str(tmp_path),
        "TZ": "Europe/Berlin",
        "SECRET_TOKEN": "s",
        "DISPLAY": ":0",
    }
    await fetch(make(name, command=program, **given))
    record: dict[str, Any] = json.loads(said.read_text())
    expected = {"HOME", "PATH", "LANG", "LIST_KEY"}
    if name == "taskwarrior":
        expected |= {"TASKRC", "TASKDATA", "TZ"}
    assert {key: given[key] for key in expected} == record["environ"]


def test_every_name_is_known() -> None:
    assert set(get_args(SourceName)) == {"none", "marvin", "taskwarrior", "todotxt", "command"}
