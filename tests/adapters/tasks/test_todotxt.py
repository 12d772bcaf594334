"""A real todo.txt file: read afresh, within limits, and never written."""

import os
import time
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.tasks.entries import MAX_TASKS
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.adapters.tasks.todotxt import MAX_FILE_BYTES, TodotxtTaskSource
from antidriftd.core.model import Task
from tests.adapters.stuck_disk import said_on_stuck_disk

NOON = 1_796_040_000.0
"""2026-11-30 12:00 UTC."""

FILE = """\
(A) Thank Mom for the meatballs @phone
(B) 2026-11-01 Schedule Goodwill pickup +GarageSale @phone due:2026-12-24
x 2026-11-29 2026-11-01 Review Tim's pull request +TodoTxtTouch
Post signs around the neighborhood +GarageSale t:2026-12-01
@GroceryStore Eskimo pies
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "todo.txt"


def fetch(file: Path, *, now: float = NOON) -> tuple[Task, ...]:
    async def within_a_limit() -> tuple[Task, ...]:
        with trio.fail_after(60):
            return await TodotxtTaskSource(file, utc=lambda: now).fetch()

    return trio.run(within_a_limit)


def titles(file: Path, *, now: float = NOON) -> list[str]:
    return [task.title for task in fetch(file, now=now)]


def refusal(file: Path) -> str:
    with pytest.raises(TaskSourceError) as caught:
        fetch(file)
    return str(caught.value)


def test_today_s_tasks_are_listed(file: Path) -> None:
    file.write_text(FILE)
    assert titles(file) == [
        "Thank Mom for the meatballs @phone",
        "Schedule Goodwill pickup +GarageSale @phone",
        "@GroceryStore Eskimo pies",
    ]
    assert {task.source for task in fetch(file)} == {"todotxt"}


def test_files_from_windows_read_the_same(file: Path) -> None:
    file.write_bytes(FILE.encode())
    plain = fetch(file)
    for text in (FILE.replace("\n", "\r\n"), "\ufeff" + FILE):
        file.write_bytes(text.encode())
        assert fetch(file) == plain


def test_bytes_that_are_no_utf_8_become_replacement_characters(file: Path) -> None:
    file.write_bytes("Bücher\n".encode("latin-1"))
    assert titles(file) == ["B\ufffdcher"]


def test_the_day_begins_at_local_midnight(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("call Ann t:2026-12-01")
    half_past_eight_in_the_evening = NOON + 8.5 * 3600
    for zone, expected in (("UTC", []), ("UTC-5", ["call Ann"]), ("UTC+5", [])):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        found = titles(file, now=half_past_eight_in_the_evening)
        monkeypatch.undo()
        time.tzset()
        assert found == expected


def test_the_file_is_opened_by_its_path_each_time(file: Path, tmp_path: Path) -> None:
    for text in ("first", "second"):  # as an editor saves: a new file, renamed over the old one
        (tmp_path / "new").write_text(text)
        (tmp_path / "new").rename(file)
        assert titles(file) == [text]


def test_an_empty_file_has_no_tasks(file: Path) -> None:
    file.write_text("")
    assert fetch(file) == ()


def test_a_missing_file_is_told(file: Path) -> None:
    assert refusal(file) == f"cannot read {file}: No such file or directory"


def test_a_file_up_to_the_cap_is_read_and_a_larger_one_is_refused(file: Path) -> None:
    file.write_text("call Ann\n" * (MAX_FILE_BYTES // 9))
    assert len(fetch(file)) == MAX_TASKS
    file.write_bytes(b"\n" * (MAX_FILE_BYTES + 1))
    assert refusal(file) == f"cannot read {file}: it is larger than 1024 KiB"


def test_a_directory_a_fifo_and_a_device_are_refused_and_not_waited_for(
    file: Path, tmp_path: Path
) -> None:
    os.mkfifo(file)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (tmp_path, file, Path("/dev/zero")):
        assert refusal(path) == f"cannot read {path}: it is not a regular file"
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_disk_that_does_not_answer_is_given_up_and_stops_nothing_else(file: Path) -> None:
    file.write_text(FILE)
    imports = "from antidriftd.adapters.tasks.todotxt import Path, TodotxtTaskSource"
    call = f"TodotxtTaskSource(Path({str(file)!r}), utc=lambda: 0, timeout_secs=2).fetch()"
    said = said_on_stuck_disk(file, imports, call)
    assert said == f"TaskSourceError: cannot read {file}: the disk gave no answer in 2 s\n"


@pytest.mark.parametrize("path", ["/a\0b", "/a\nb" * 2000, "/\ud800"])
def test_any_path_is_refused_in_one_line(path: str) -> None:
    message = refusal(Path(path))
    assert message.isprintable()
    assert message.encode()


def test_nothing_is_written(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE)
    before = file.stat()
    fetch(file)
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert list(tmp_path.iterdir()) == [file]
