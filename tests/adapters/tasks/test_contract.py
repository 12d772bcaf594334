"""What every task source keeps to, whatever its list."""

import os
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.tasks.port import TaskSource, TaskSourceError
from antidriftd.adapters.tasks.sources import SourceName, task_source
from antidriftd.core.texts import checked_text
from tests.adapters.tasks.test_taskwarrior import Taskwarrior
from tests.fakes.ai import processes_named, wait_processes, write_program

TITLES = ["buy milk", "call Ann, or write", 'say "hi" to +Bob @home', "naïve 👩\u200d👩\u200d👧"]
NAMES: list[SourceName] = ["marvin", "taskwarrior", "todotxt", "command"]


class User:
    """Somebody with a task list of every kind, in one home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.todo = home / "todo.txt"
        self.list = home / "list"
        self.taskwarrior = Taskwarrior(home)
        self.taskwarrior.configure("urgency.age.coefficient=0")

    def write(self, name: SourceName, titles: list[str]) -> None:
        """Put tasks on a list that has none."""
        match name:
            case "taskwarrior":
                for title in titles:
                    self.taskwarrior.do("add", "due:today", "--", title)
            case "todotxt":
                self.todo.write_text("".join(f"{title}\n" for title in titles))
            case _:
                records = [{"id": str(at), "title": title} for at, title in enumerate(titles)]
                write_program(self.home, f"print(json.dumps({records}))", "list")

    def break_list(self, name: SourceName) -> None:
        match name:
            case "taskwarrior":
                self.taskwarrior.configure("nonsense")
            case "todotxt":
                self.todo.unlink()
            case _:
                write_program(self.home, "sys.exit('offline')", "list")

    def source(self, name: SourceName) -> TaskSource:
        source = task_source(
            name,
            command=str(self.list),
            file=str(self.todo),
            environ=os.environ | {"HOME": str(self.home)},
            pass_env=[],
            utc=lambda: 1_796_040_000.0,
        )
        assert source is not None
        return source


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


@pytest.mark.parametrize("name", NAMES)
class TestTaskSourceContract:
    async def test_the_tasks_are_those_of_the_list(self, user: User, name: SourceName) -> None:
        user.write(name, TITLES)
        tasks = await user.source(name).fetch()
        assert sorted(task.title for task in tasks) == sorted(TITLES)
        assert {task.source for task in tasks} == {name}

    async def test_a_task_keeps_its_id_from_one_fetch_and_one_daemon_to_the_next(
        self, user: User, name: SourceName
    ) -> None:
        user.write(name, TITLES)
        source = user.source(name)
        first = await source.fetch()
        assert await source.fetch() == first
        assert await user.source(name).fetch() == first
        assert len({task.id for task in first}) == len(TITLES)

    async def test_an_empty_list_is_no_error(self, user: User, name: SourceName) -> None:
        user.write(name, [])
        assert await user.source(name).fetch() == ()

    async def test_what_comes_from_outside_is_clean(self, user: User, name: SourceName) -> None:
        user.write(name, ["\x1b[31mred\x1b[0m \x07bell", "x" * 600, "-rf"])
        for task in await user.source(name).fetch():
            assert checked_text("the intent", task.title) == task.title
            assert checked_text("the id", task.id, max_chars=200) == task.id

    async def test_a_list_that_cannot_be_had_is_one_line_and_may_come_back(
        self, user: User, name: SourceName
    ) -> None:
        user.write(name, TITLES)
        source = user.source(name)
        user.break_list(name)
        with pytest.raises(TaskSourceError) as caught:
            await source.fetch()
        assert str(caught.value).isprintable()
        user.taskwarrior.configure()
        user.write(name, ["back again"])
        assert "back again" in [task.title for task in await source.fetch()]

    async def test_lists_are_fetched_side_by_side(self, user: User, name: SourceName) -> None:
        user.write(name, TITLES)
        source = user.source(name)
        sizes = []

        async def fetch() -> None:
            sizes.append(len(await source.fetch()))

        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(fetch)
        assert sizes == [len(TITLES)] * 4


@pytest.mark.parametrize("name", ["marvin", "command", "taskwarrior"])
async def test_cancelling_ends_every_process(user: User, name: SourceName, tmp_path: Path) -> None:
    program = write_program(tmp_path, "fork(os.setsid, deaf, sleep)\nsleep()", "task")
    source = task_source(
        name,
        command=program,
        file="",
        environ={"HOME": str(user.home), "PATH": str(tmp_path)},
        pass_env=[],
        utc=lambda: 0.0,
    )
    assert source is not None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(source.fetch)
        await wait_processes(program, present=True)
        nursery.cancel_scope.cancel()
    assert not processes_named(program)
