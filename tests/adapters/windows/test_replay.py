"""Recordings are read, refused and played."""

import itertools
from pathlib import Path

import pytest

from antidriftd.adapters.windows.program import NO_WINDOW, window_record
from antidriftd.adapters.windows.replay import Entry, RecordingError, read_recording, timeline
from antidriftd.adapters.windows.replay_sensor import ReplayWindowSensor, parse_replay_spec
from antidriftd.core.model import SensorHealth, Window
from tests.adapters.windows.recording_sink import open_sensor


def recording(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "day.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_a_recording_is_read(tmp_path: Path) -> None:
    path = recording(
        tmp_path,
        '{"at": 0, "class": "XTerm", "instance": "xterm", "title": "vim"}',
        "",
        '{"at": 1.5, "window": null}\r',
        '{"at": 1.5, "title": "only a title", "note": "ignored"}',
        '{"at": 2, "class": "", "title": ""}',
    )

    assert read_recording(path) == [
        Entry(0, window_record("XTerm", "vim", "xterm")),
        Entry(1.5, NO_WINDOW),
        Entry(1.5, window_record("", "only a title", "")),
        Entry(2, window_record("", "", "")),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        "3",
        '{"class": "a", "title": "b"}',
        '{"at": "1", "class": "a"}',
        '{"at": true, "class": "a"}',
        '{"at": null, "class": "a"}',
        '{"at": NaN, "class": "a"}',
        '{"at": Infinity, "class": "a"}',
        '{"at": 1e999, "class": "a"}',
        '{"at": ' + "9" * 400 + ', "class": "a"}',
        '{"at": 4, "class": "a"}',
        '{"at": -1, "class": "a"}',
        '{"at": 6}',
        '{"at": 6, "window": 3}',
        '{"at": 6, "class": 3}',
        '{"at": 6, "class": "a", "title": null}',
        '{"at": 6, "class": "a", "title": "\\ud800"}',
        '{"at": 6, "class": "\udcff"}',
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "day.jsonl"
    good = '{"at": 5, "class": "a"}'
    path.write_bytes(f"{good}\n\n{line}\n".encode(errors="surrogateescape"))

    with pytest.raises(RecordingError) as caught:
        read_recording(path)

    assert f"{path}, line 3: " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordingError, match=str(tmp_path / name)):
        read_recording(tmp_path / name)


def test_speed_divides_the_offsets_and_life_goes_on_after_the_end() -> None:
    entries = [Entry(0, NO_WINDOW), Entry(40, NO_WINDOW)]

    due = list(itertools.islice(timeline(entries, speed=4), 6))

    assert [(entry.at_secs, entry.record is None) for entry in due] == [
        (0, False),
        (0, True),
        (9, True),
        (10, False),
        (18, True),
        (27, True),
    ]


@pytest.mark.parametrize(
    ("spec", "path", "speed"),
    [
        ("day.jsonl", "day.jsonl", 1.0),
        ("day.jsonl@60", "day.jsonl", 60.0),
        ("day.jsonl@0.5", "day.jsonl", 0.5),
        ("me@home.jsonl", "me@home.jsonl", 1.0),
        ("me@home.jsonl@3", "me@home.jsonl", 3.0),
        ("here@2", "here@2", 1.0),
        ("here@2@3", "here@2", 3.0),
        ("gone@2", "gone", 2.0),
    ],
)
def test_a_spec_names_file_and_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, path: str, speed: float
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here@2").touch()

    assert parse_replay_spec(spec) == (Path(path), speed)


@pytest.mark.parametrize("spec", ["", "@2", "a@0", "a@-1", "a@nan", "a@inf"])
def test_a_spec_that_makes_no_sense_is_refused_in_one_line(spec: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*replay[^\n]*$"):
        parse_replay_spec(spec)


async def test_a_recording_is_played_and_its_last_window_stays(tmp_path: Path) -> None:
    path = recording(
        tmp_path,
        '{"at": 0, "class": "XTerm", "title": "vim"}',
        '{"at": 20, "window": null}',
        '{"at": 40, "class": "Firefox", "title": "日本"}',
    )

    async with open_sensor(ReplayWindowSensor(path, speed=100)) as sink:
        await sink.wait_window(Window("Firefox", "日本"))

    assert sink.windows == [Window("XTerm", "vim"), None, Window("Firefox", "日本")]
    assert sink.healths[-1] == SensorHealth("replay", ok=True)


async def test_a_recording_that_begins_late_works_from_the_start(tmp_path: Path) -> None:
    path = recording(tmp_path, '{"at": 3600, "class": "XTerm", "title": "vim"}')

    async with open_sensor(ReplayWindowSensor(path)) as sink:
        await sink.wait_health(ok=True)

    assert sink.windows == []


async def test_a_recording_that_is_mended_is_played(tmp_path: Path) -> None:
    path = recording(tmp_path, '{"at": 0, "class": 3}')

    async with open_sensor(ReplayWindowSensor(path)) as sink:
        health = await sink.wait_health(ok=False, detail=f"{path}, line 1: ")
        recording(tmp_path, '{"at": 0, "class": "XTerm", "title": "vim"}')
        await sink.wait_window(Window("XTerm", "vim"))

    assert health.name == "replay"
    assert not health.takes_display
