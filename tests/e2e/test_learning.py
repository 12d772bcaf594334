"""What is said in one session is a hint in the next, until it is forgotten."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.core.recording_state import Entry, Record
from protocol.history import HISTORY_FILE
from tests.cli.fake_daemon import command
from tests.cli.history.past import ended as ended_session
from tests.cli.history.past import stretches
from tests.clients import PATIENCE_SECS
from tests.daemons import Daemon, open_daemon

CANARY = "Zyxomma Flibbertigibbet"
"""A title that nothing can be known of."""

WINDOW = {"at": 0, "class": "firefox", "title": f"{CANARY} \u2014 Mozilla Firefox"}
KEPT = "off task in a session like this"

Lessons = list[dict[str, Any]]


@asynccontextmanager
async def open_desk(
    tmp_path: Path, *, config: str = "", window: dict[str, object] = WINDOW
) -> AsyncIterator[Daemon]:
    """Run a daemon before which one window lies, and which judges at once."""
    recording = tmp_path / "day.jsonl"
    recording.write_text(json.dumps(window) + "\n")
    text = f"[drift]\ndwell_secs = 0.1\n{config}"
    async with open_daemon(
        tmp_path, sensor=f"replay:{recording}", ai="local", config=text
    ) as daemon:
        yield daemon


async def run(daemon: Daemon, *args: str) -> str:
    done = await trio.run_process(
        command(*args),
        env=daemon.home.environ,
        capture_stdout=True,
        capture_stderr=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


async def lessons(daemon: Daemon, is_wanted: Callable[[Lessons], bool]) -> Lessons:
    """Return what was learned, once it is what is wanted."""
    with trio.fail_after(PATIENCE_SECS):
        while True:
            told = (await daemon.request("learned"))["lessons"]
            if is_wanted(told):
                return list(told)
            await trio.sleep(0.05)


async def ended(daemon: Daemon, sessions: int) -> None:
    """Return once the history has so many sessions."""
    with trio.fail_after(PATIENCE_SECS):
        while True:
            if len(json.loads(await run(daemon, "log", "--json"))["sessions"]) >= sessions:
                return


async def why(daemon: Daemon) -> dict[str, Any]:
    """Return how the judge's verdict came about, once there is one."""
    with trio.fail_after(PATIENCE_SECS):
        while True:
            told = await daemon.request("why")
            if told["rule"] in ("judge", "cache"):
                return dict(told)
            await trio.sleep(0.05)


async def have_session(daemon: Daemon, *answers: str) -> dict[str, Any]:
    """Have a session in which this is said; return how its first verdict came about."""
    await daemon.request("start", next_action="Quux the zorb", timebox_secs=600)
    first = await why(daemon)
    for answer in answers:
        await daemon.request(answer)
    await daemon.request("complete")
    await daemon.request("review")
    return first


async def test_an_answer_is_a_hint_in_the_next_session_until_it_is_forgotten(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as daemon:
        first = await have_session(daemon, "offtask")
        assert KEPT not in first["reason"]
        (lesson,) = await lessons(daemon, lambda told: len(told) == 1)
        assert (lesson["class"], lesson["offtask"], lesson["hint"]) == ("firefox", 1, "offtask")

        second = await have_session(daemon)
        assert KEPT in second["reason"]
        assert "firefox: a page" in await run(daemon, "learned")

        forgotten = await run(daemon, "learned", "--forget", "firefox")
        assert forgotten == "forgotten: firefox: a page, when you: quux the zorb\n"
        assert (await daemon.request("learned"))["lessons"] == []
        third = await have_session(daemon)
        assert (third["reason"], third.get("on_task")) == (first["reason"], first.get("on_task"))


async def test_refocus_teaches_of_a_program_what_two_sessions_agree_on(tmp_path: Path) -> None:
    window = {"at": 0, "class": "steam", "title": "a game"}
    async with open_desk(tmp_path, window=window) as daemon:
        await have_session(daemon, "refocus")
        (lesson,) = await lessons(daemon, lambda told: len(told) == 1)
        assert "hint" not in lesson
        assert "like this" not in (await have_session(daemon, "refocus"))["reason"]
        (lesson,) = await lessons(daemon, lambda told: told[0]["sessions"] == 2)
        assert lesson["hint"] == "offtask"
        assert "off task in 2 sessions like this" in (await have_session(daemon))["reason"]


async def test_what_was_learned_outlives_the_daemon(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as daemon:
        await have_session(daemon, "offtask")
        await lessons(daemon, lambda told: len(told) == 1)
        await daemon.restart()

        assert KEPT in (await have_session(daemon))["reason"]


async def test_an_excluded_window_teaches_nothing(tmp_path: Path) -> None:
    config = "[history]\nexclude = ['*flibber*']\n"
    async with open_desk(tmp_path, config=config) as daemon:
        first = await have_session(daemon, "offtask")
        await ended(daemon, 1)

        assert (await daemon.request("learned"))["lessons"] == []
        assert (await have_session(daemon))["reason"] == first["reason"]


async def test_no_title_is_anywhere_unless_titles_are_kept(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as daemon:
        await have_session(daemon, "offtask")
        told = await lessons(daemon, lambda told: len(told) == 1)
        told_again = [await run(daemon, "learned", *more) for more in ((), ("--json",))]
        kept = b"".join(path.read_bytes() for path in daemon.home.state_dir.iterdir())

    assert CANARY.casefold() not in f"{told} {told_again} {daemon.log}".casefold()
    assert CANARY.casefold().encode() not in kept.lower()


async def test_with_titles_the_page_is_named(tmp_path: Path) -> None:
    async with open_desk(tmp_path, config="[history]\ntitles = 'on'\n") as daemon:
        await have_session(daemon, "offtask")
        (lesson,) = await lessons(daemon, lambda told: len(told) == 1)
        evaluated = json.loads(await run(daemon, "evaluate", "--history", "--json"))

    assert lesson["page"] == CANARY.casefold()
    assert evaluated["cases"] == 1


async def test_the_coach_proposes_what_was_used_and_says_who_it_is(tmp_path: Path) -> None:
    window = {"at": 0, "class": "gimp", "title": "a poster"}
    async with open_desk(tmp_path, window=window) as daemon:
        plain = await run(daemon, "coach", "Quux the zorb")
        await write_past(daemon.home.state_dir, "Quux the zorb")
        await daemon.restart()
        await lessons(daemon, lambda told: True)
        taught = await run(daemon, "coach", "Quux the zorb")

    assert "from the built-in coach (local)" in plain
    assert "allowed" not in plain
    assert "allowed: gimp" in taught
    assert "firefox" not in taught


async def write_past(state_dir: Path, action: str) -> None:
    """Write a session that is over, with time in two programs."""
    rows = stretches("past", ("gimp", 600.0, "ontask"), ("firefox", 900.0, "ontask"))
    records: list[Record] = [*rows, ended_session(rows, next_action=action, success_condition="")]
    store = SqliteHistoryStore(state_dir / HISTORY_FILE, lambda: 0.0)
    entries = [Entry(number, record) for number, record in enumerate(records, start=1)]
    await store.write(entries)
