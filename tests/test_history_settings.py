"""What `[history]` in config.toml does to what is remembered of a window."""

import json
import stat
from pathlib import Path
from typing import Any

import trio

from tests.adapters.store.histories import contents_if_any
from tests.clients import PATIENCE_SECS
from tests.daemons import open_daemon

WINDOWS = [("code", "main.py"), ("Firefox", "My BANK, balance"), ("mail", "to Ann"), ("code", "")]


async def remembered(directory: Path, history: str, sessions: int = 1) -> list[dict[str, Any]]:
    """Have a session under these settings, and return what is remembered of all intervals.

    `sessions` are there by then.
    """
    recording = directory / "day.jsonl"
    windows = [
        {"at": number / 4, "class": window_class, "title": title}
        for number, (window_class, title) in enumerate(WINDOWS * 20)
    ]
    recording.write_text("\n".join(map(json.dumps, windows)))
    config = f"[history]\n{history}\n"
    async with open_daemon(directory, sensor=f"replay:{recording}", config=config) as daemon:
        await daemon.request("start", next_action="write")
        await daemon.wait_state(lambda state: state["evidence"]["switches"] > len(WINDOWS))
        await daemon.request("complete")
        with trio.fail_after(PATIENCE_SECS):
            while True:
                found = contents_if_any(daemon.home.state_dir / "history.sqlite3")
                if len(found["sessions"]) == sessions:
                    return found["intervals"]
                await trio.sleep(0.05)
    raise AssertionError("unreachable: it is waited for")


def keys(directory: Path) -> list[Path]:
    return list(directory.rglob("title.key"))


async def test_no_title_is_kept_unless_it_is_asked_for(tmp_path: Path) -> None:
    intervals = await remembered(tmp_path, "")

    assert {row["title"] for row in intervals} == {""}
    assert {row["class"] for row in intervals} >= {"code", "Firefox", "mail"}
    assert [stat.filemode(key.stat().st_mode) for key in keys(tmp_path)] == ["-rw-------"]


async def test_titles_are_kept_on_demand(tmp_path: Path) -> None:
    intervals = await remembered(tmp_path, "titles = 'on'")
    kept = {(row["class"], row["title"]) for row in intervals}

    assert kept >= {("code", "main.py"), ("Firefox", "My BANK, balance"), ("mail", "to Ann")}


async def test_a_hash_tells_only_that_two_titles_are_the_same(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    await remembered(tmp_path / "one", "titles = 'hash'")
    one = await remembered(tmp_path / "one", "titles = 'hash'", sessions=2)
    other = await remembered(tmp_path / "other", "titles = 'hash'")
    kept = [{row["title"] for row in rows if row["class"] == "mail"} for rows in (one, other)]
    (here,), (elsewhere,) = kept

    assert len({row["session_id"] for row in one if row["class"] == "mail"}) == 2
    assert here != elsewhere
    assert set(here) <= set("0123456789abcdef")
    assert [stat.filemode(key.stat().st_mode) for key in keys(tmp_path)] == ["-rw-------"] * 2


async def test_what_is_excluded_leaves_neither_class_nor_title(tmp_path: Path) -> None:
    intervals = await remembered(tmp_path, "titles = 'on'\nexclude = ['*bank*', 'MAIL']")

    assert {row["class"] for row in intervals} == {"", "code"}
    assert not any("BANK" in row["title"] or "Ann" in row["title"] for row in intervals)


async def test_nothing_of_what_is_excluded_is_in_any_file_while_the_session_runs(
    tmp_path: Path,
) -> None:
    recording = tmp_path / "day.jsonl"
    recording.write_text(json.dumps({"at": 0, "class": "secretclass", "title": "secrettitle"}))
    config = "[history]\ntitles = 'on'\nexclude = ['*secret*']\n"
    async with open_daemon(tmp_path, sensor=f"replay:{recording}", config=config) as daemon:
        await daemon.wait_state(lambda state: "window" in state)
        await daemon.request("start", next_action="write")
        await daemon.request("extend", secs=60)  # saves what is known by now
        files = [path for path in daemon.home.state_dir.rglob("*") if path.is_file()]
        assert daemon.home.snapshot in files
        assert [path for path in files if b"secret" in path.read_bytes()] == []

        # What was answered is kept, and gone with the session.
        await daemon.request("ontask", window_class="secretclass")
        assert b"secret" in daemon.home.snapshot.read_bytes()
        await daemon.request("complete")
        await daemon.request("review")
        assert b"secret" not in daemon.home.snapshot.read_bytes()
