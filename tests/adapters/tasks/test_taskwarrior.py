"""Today's tasks out of a real Taskwarrior."""

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.adapters.tasks.taskwarrior import TaskwarriorTaskSource
from antidriftd.programs.lookup import find_program
from tests.adapters.stuck_disk import said_on_stuck_disk
from tests.fakes import ai
from tests.fakes.ai import processes_named, write_program

PROGRAM = find_program("task", os.environ["PATH"])


class Taskwarrior:
    """A user's Taskwarrior, in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environ = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def configure(self, *lines: str, file: str = ".taskrc") -> None:
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))

    def do(self, *arguments: str) -> str:
        done = subprocess.run(
            [PROGRAM, "rc.confirmation=off", *arguments],
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout

    def uuid(self, description: str) -> str:
        return self.do(f"description:{description}", "uuids").strip()

    def source(self, program: str = PROGRAM, *, timeout_secs: float = 60) -> TaskwarriorTaskSource:
        return TaskwarriorTaskSource(program, environ=self.environ, timeout_secs=timeout_secs)

    async def titles(self) -> list[str]:
        return [task.title for task in await self.source().fetch()]

    def files(self) -> dict[str, bytes]:
        files = (path for path in self.home.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files}


@pytest.fixture
def user(tmp_path: Path) -> Taskwarrior:
    user = Taskwarrior(tmp_path)
    user.configure()
    return user


async def test_what_is_running_due_or_scheduled_by_tonight_is_listed(user: Taskwarrior) -> None:
    for name, attributes in {
        "overdue": ["due:yesterday"],
        "due today": ["due:today"],
        "due tonight": ["due:eod"],
        "due tomorrow": ["due:tomorrow"],
        "scheduled today": ["scheduled:today"],
        "scheduled last week": ["scheduled:today-7days"],
        "scheduled tomorrow": ["scheduled:tomorrow"],
        "some day": [],
        "running": [],
        "waiting": ["due:today", "wait:tomorrow"],
        "done": ["due:today"],
        "deleted": ["due:today"],
    }.items():
        user.do("add", name, *attributes)
    user.do("description:running", "start")
    user.do("description:done", "done")
    user.do("description:deleted", "delete")
    assert sorted(await user.titles()) == [
        "due today",
        "due tonight",
        "overdue",
        "running",
        "scheduled last week",
        "scheduled today",
    ]


async def test_a_task_is_known_by_its_uuid(user: Taskwarrior) -> None:
    user.do("add", "buy milk", "due:today")
    (task,) = await user.source().fetch()
    assert task.id == user.uuid("buy milk")
    assert (task.title, task.source) == ("buy milk", "taskwarrior")


async def test_the_most_urgent_comes_first_by_the_user_s_own_measure(user: Taskwarrior) -> None:
    user.do("add", "plain", "due:eod")
    user.do("add", "important", "due:eod", "priority:H")
    user.do("add", "running", "due:eod")
    user.do("description:running", "start")
    assert await user.titles() == ["important", "running", "plain"]
    user.configure("urgency.active.coefficient=100")
    assert await user.titles() == ["running", "important", "plain"]


async def test_no_task_is_no_error(user: Taskwarrior) -> None:
    assert await user.source().fetch() == ()


async def test_titles_of_any_kind_arrive(user: Taskwarrior) -> None:
    titles = ['say "hi"', "Ümläute 👩\u200d👩\u200d👧", "[1] {two} (A) x", "-rf $(touch x)"]
    for title in titles:
        user.do("add", "due:today", "--", title)
    user.do("add", "due:today", "--", "a bell\x07 and\x1b[31m red\nand a line")
    titles.append("a bell\ufffd and red and a line")
    assert sorted(await user.titles()) == sorted(titles)


async def test_a_long_list_gives_the_most_urgent_tasks(user: Taskwarrior) -> None:
    tasks = [
        f'{{"description": "{number} {"x" * 500}", "due": "20200101T000000Z"}}'
        for number in range(300)
    ]
    (user.home / "many.json").write_text("\n".join(tasks))
    user.do("import", str(user.home / "many.json"))
    user.do("add", "the most urgent", "due:today", "priority:H", "+next")
    found = await user.titles()
    assert found[0] == "the most urgent"
    assert 50 < len(found) <= 200


class TestLooking:
    async def test_looking_changes_nothing(self, user: Taskwarrior) -> None:
        user.do("add", "buy milk", "due:today")
        user.do("add", "sleep", "due:today")
        user.do("description:sleep", "done")
        user.do("add", "daily", "due:today", "recur:daily")
        user.do("add", "waited", "due:today", "wait:yesterday")
        ran = user.home / "ran"
        hook = user.home / ".task" / "hooks" / "on-launch.sh"
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
        before = user.files()
        assert "buy milk" in await user.titles()
        assert user.files() == before

    @pytest.mark.parametrize("variable", ["", "TASKRC"])
    async def test_one_that_was_never_used_is_told_and_left_alone(
        self, user: Taskwarrior, variable: str
    ) -> None:
        (user.home / ".taskrc").unlink()
        if variable:
            user.environ[variable] = str(user.home / "none")
        with pytest.raises(TaskSourceError, match="run `task` once in a terminal") as caught:
            await user.source().fetch()
        assert str(user.home / ("none" if variable else ".taskrc")) in str(caught.value)
        assert list(user.home.iterdir()) == []

    async def test_one_that_was_never_used_would_make_its_files(self, user: Taskwarrior) -> None:
        (user.home / ".taskrc").unlink()
        user.do("export")
        assert (user.home / ".taskrc").exists()

    @pytest.mark.parametrize("place", ["TASKRC", "XDG_CONFIG_HOME", "~/.config"])
    async def test_a_configuration_elsewhere_is_found(self, user: Taskwarrior, place: str) -> None:
        (user.home / ".taskrc").unlink()
        data = user.home / "data"
        data.mkdir()
        if place == "TASKRC":
            user.environ[place] = str(user.home / "elsewhere" / "task" / "taskrc")
        elif place == "XDG_CONFIG_HOME":
            user.environ[place] = str(user.home / "elsewhere")
        folder = ".config" if place == "~/.config" else "elsewhere"
        user.configure(f"data.location={data}", file=f"{folder}/task/taskrc")
        user.do("add", "buy milk", "due:today")
        assert await user.titles() == ["buy milk"]
        assert not (user.home / ".task").exists()


class TestFailures:
    async def test_a_configuration_that_it_refuses_is_told_in_one_line(
        self, user: Taskwarrior
    ) -> None:
        user.configure("nonsense")
        with pytest.raises(TaskSourceError, match=r"^task exited with code 2: .*nonsense") as error:
            await user.source().fetch()
        assert str(error.value).isprintable()

    async def test_one_that_hangs_is_given_up_and_ended(self, user: Taskwarrior) -> None:
        program = write_program(user.home, ai.NEVER_ANSWERS, "task")
        with pytest.raises(TaskSourceError, match=r"^task was not done in 0.5 s"):
            await user.source(program, timeout_secs=0.5).fetch()
        assert not processes_named(program)

    def test_a_disk_that_does_not_answer_is_given_up_and_stops_nothing_else(
        self, user: Taskwarrior
    ) -> None:
        file = user.home / ".taskrc"
        imports = "from antidriftd.adapters.tasks.taskwarrior import TaskwarriorTaskSource"
        call = f"TaskwarriorTaskSource({PROGRAM!r}, environ={user.environ}, timeout_secs=2).fetch()"
        said = said_on_stuck_disk(file, imports, call)
        why = "the disk gave no answer in 2 s"
        assert said == f"TaskSourceError: cannot look for {file}: {why}\n"

    async def test_a_list_that_another_program_holds_is_waited_for_and_given_up(
        self, user: Taskwarrior
    ) -> None:
        user.do("add", "buy milk", "due:today")
        descriptor = os.open(user.home / ".task" / "pending.data", os.O_RDWR)
        fcntl.lockf(descriptor, fcntl.LOCK_EX)
        with pytest.raises(TaskSourceError, match=r"^task was not done in 1 s"):
            await user.source(timeout_secs=1).fetch()
        os.close(descriptor)
        assert await user.titles() == ["buy milk"]
