"""The task source that is a program, run for real."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
import trio

from antidriftd.adapters.tasks.command import CommandTaskSource
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.core.model import Task
from tests.adapters.tasks.test_parsing import INSPECTED
from tests.fakes import ai
from tests.fakes.ai import answers, processes_named, write_program

ENVIRON = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
LIST = '[{"id": "7", "title": "buy milk"}, {"id": "8", "title": "call Ann"}]'
NO_JSON = "there is no JSON in what it printed"
TASKS = (Task("7", "buy milk", "command"), Task("8", "call Ann", "command"))


def source_of(program: str, *arguments: str, timeout_secs: float = 60) -> CommandTaskSource:
    return CommandTaskSource(
        "command", [program, *arguments], environ=ENVIRON, timeout_secs=timeout_secs
    )


async def refusal(tmp_path: Path, body: str, *, timeout_secs: float = 60) -> str:
    source = source_of(write_program(tmp_path, body, "list"), timeout_secs=timeout_secs)
    with pytest.raises(TaskSourceError) as caught:
        await source.fetch()
    return str(caught.value)


async def test_what_the_program_prints_is_the_list(tmp_path: Path) -> None:
    assert await source_of(write_program(tmp_path, answers(LIST))).fetch() == TASKS


async def test_it_is_run_anew_each_time(tmp_path: Path) -> None:
    program = write_program(tmp_path, answers(LIST))
    source = source_of(program)
    assert await source.fetch() == TASKS
    write_program(tmp_path, answers("[]"))
    assert await source.fetch() == ()


async def test_a_program_that_prints_nothing_has_no_tasks(tmp_path: Path) -> None:
    assert await source_of(write_program(tmp_path, answers("", stderr="fetching"))).fetch() == ()


async def test_it_gets_its_arguments_its_environment_and_an_end_of_input(tmp_path: Path) -> None:
    said = tmp_path / "said"
    body = ai.RECORDS.replace("print(", f"open({str(said)!r}, 'w').write(")
    await source_of(write_program(tmp_path, body), "today", "two words").fetch()
    record: dict[str, Any] = json.loads(await trio.Path(said).read_text())
    assert record["argv"] == ["today", "two words"]
    assert record["environ"] == ENVIRON
    assert record["stdin"] == ""
    assert not record["terminal"]


@pytest.mark.parametrize("stderr", ["", "a warning"])
async def test_json_counts_although_the_program_failed_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, stderr: str
) -> None:
    program = write_program(tmp_path, answers(LIST, stderr=stderr, exit_code=3), "list")
    assert await source_of(program).fetch() == TASKS
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "list exited with code 3" in record.getMessage()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            answers("", stderr="\x1b[31mno token\x1b[0m\n set one\n", exit_code=1),
            f"list exited with code 1: {NO_JSON}; it printed: no token set one",
        ),
        (
            answers("Error: offline\n", exit_code=1),
            f"list exited with code 1: {NO_JSON}; it printed: Error: offline",
        ),
        (
            answers("buy milk\ncall Ann\n", stderr="half of it", exit_code=1),
            f"list exited with code 1: {NO_JSON}; it printed: half of it",
        ),
        (
            answers("id,title\n7,buy milk\n", exit_code=1),
            f"list exited with code 1: {NO_JSON}; it printed: id,title 7,buy milk",
        ),
        (
            answers(" ", exit_code=2),
            f"list exited with code 2: {NO_JSON}; it printed nothing",
        ),
        (
            "os.kill(os.getpid(), 9)",
            f"list was ended by SIGKILL: {NO_JSON}; it printed nothing",
        ),
        (
            answers('{"error": "unauthorized"}', exit_code=1),
            'list exited with code 1: entry 1 has no title; it printed: {"error": "unauthorized"}',
        ),
        (
            answers('{"error": "unauthorized"}'),
            'list: entry 1 has no title; it printed: {"error": "unauthorized"}',
        ),
        (answers(INSPECTED), "list: what it printed looks like JSON and is not ("),
    ],
)
async def test_a_failure_says_how_it_ended_and_what_was_printed(
    tmp_path: Path, body: str, message: str
) -> None:
    said = await refusal(tmp_path, body)
    assert said.startswith(message)
    assert said.isprintable()


async def test_what_was_printed_is_cut_short(tmp_path: Path) -> None:
    assert len(await refusal(tmp_path, answers("", stderr="x" * 5000, exit_code=1))) < 400


@pytest.mark.parametrize("exit_code", [0, 1])
async def test_no_title_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, exit_code: int
) -> None:
    caplog.set_level(logging.DEBUG)
    await source_of(write_program(tmp_path, answers(LIST, exit_code=exit_code))).fetch()
    assert "milk" not in caplog.text


async def test_of_a_flood_the_lines_that_are_complete_count(tmp_path: Path) -> None:
    body = """
    for number in range(100_000):
        print(f"task {number} " + "x" * 500)
    """
    tasks = await source_of(write_program(tmp_path, body)).fetch()
    assert [task.title for task in tasks] == [f"task {n} {'x' * 500}" for n in range(len(tasks))]
    assert len(tasks) > 100


@pytest.mark.parametrize("indent", [None, 2])
async def test_of_a_flood_of_json_the_tasks_that_are_complete_count(
    tmp_path: Path, indent: int | None
) -> None:
    body = f"""
    records = [{{"id": n, "title": f"task, [{{n}}]", "more": "x" * 500}} for n in range(1000)]
    print(json.dumps(records, indent={indent}))
    """
    tasks = await source_of(write_program(tmp_path, body)).fetch()
    assert [(task.id, task.title) for task in tasks] == [
        (str(n), f"task, [{n}]") for n in range(len(tasks))
    ]
    assert 100 < len(tasks) < 150


@pytest.mark.parametrize("text", ["[{", INSPECTED, '[{"title": "' + "x" * 70_000, '[{"x": 1}, '])
async def test_a_flood_without_one_complete_task_is_refused(tmp_path: Path, text: str) -> None:
    message = await refusal(tmp_path, f"while True: os.write(1, {text.encode()!r})")
    assert message.startswith("list was ended after printing 64 KiB: ")


async def test_a_list_beside_a_flood_of_complaints_counts_only_as_json(tmp_path: Path) -> None:
    program = write_program(tmp_path, ai.floods(2, before=LIST))
    assert await source_of(program).fetch() == TASKS
    message = await refusal(tmp_path, ai.floods(2, before="buy milk\n"))
    assert message.startswith("list was ended after printing 64 KiB: there is no JSON")


async def test_a_time_out_is_told_with_its_seconds_and_leaves_nothing(tmp_path: Path) -> None:
    body = f"print({LIST!r}, flush=True)\n{ai.CHILDREN['left the session and ignores SIGTERM']}"
    message = await refusal(tmp_path, f"{body}\n{ai.NEVER_ANSWERS}", timeout_secs=0.5)
    assert message.startswith("list was not done in 0.5 s; ")
    assert not processes_named(str(tmp_path / "list"))


async def test_a_program_that_is_gone_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(TaskSourceError, match=r"^cannot run /no/such/list: No such file or"):
        await source_of("/no/such/list").fetch()


@pytest.mark.parametrize("stdin", ["sys.stdin.read()", "input()", "open('/dev/tty')"])
async def test_a_program_that_asks_a_question_is_not_waited_for(tmp_path: Path, stdin: str) -> None:
    body = f"""
    try:
        {stdin}
    except (EOFError, OSError):
        pass
    print("buy milk")
    """
    tasks = await source_of(write_program(tmp_path, body)).fetch()
    assert [task.title for task in tasks] == ["buy milk"]
