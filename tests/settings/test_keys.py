"""config.toml: every key, its values, and how each mistake is told."""

import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import KEYS as KNOWN_KEYS
from antidriftd.settings.loading import Flags, load_settings
from tests.settings.loading import assignment, load, refusal

KEYS: dict[str, tuple[str, list[str], list[str]]] = {
    "sensor.name": (
        "sensor",
        ['"auto"', '"x11"', '"none"', '"replay:day.jsonl@10"'],
        ['"wayland"', '""', "1", '["x11"]', '"x11\\n"'],
    ),
    "ai.backend": (
        "ai_backend",
        ['"local"', '"claude"', '"ollama"', '"command"', '"none"'],
        ['"hal"', '""', "1", "true", '["local"]', "{a = 1}"],
    ),
    "ai.command": ("ai_command", ['"claude -p"'], ['""', '" "', "1", '["claude"]']),
    "ai.judgments_per_hour": (
        "judgments_per_hour",
        ["1", "3600"],
        ["0", "3601", "1.0", '"1"', "true", "-1", "[1]"],
    ),
    "ai.pass_env": (
        "pass_env",
        ["[]", '["API_KEY"]'],
        ['"API_KEY"', "[1]", '[""]', '["a", ["b"]]', "{a = 1}"],
    ),
    "ai.judge_timeout_secs": (
        "judge_timeout_secs",
        ["1", "0x10", "30.5", "600"],
        ["0", "601", "nan", "inf", "-inf", '"30"', "true", "1979-05-27"],
    ),
    "ai.coach_timeout_secs": (
        "coach_timeout_secs",
        ["1", "60.5", "600"],
        ["0", "601", "nan", '"60"', "true"],
    ),
    "ai.model": ("ai_model", ['"haiku"'], ['""', "1", '["haiku"]', '"a\\nb"']),
    "ai.base_url": ("ai_base_url", ['"http://localhost:11434"'], ['""', "1", "true"]),
    "nudge.every_secs": ("nudge_every_secs", ["0", "300", "86400"], ["-1", "86401", "inf", "true"]),
    "tasks.source": (
        "task_source",
        ['"none"', '"marvin"', '"taskwarrior"', '"todotxt"', '"command"'],
        ['"org"', '""', "1", '["none"]'],
    ),
    "tasks.command": ("task_command", ['"my-tasks --today"'], ['""', "1", '["my-tasks"]']),
    "tasks.file": ("task_file", ['"~/todo.txt"'], ['""', "1", "true"]),
    "knowledge.file": ("knowledge_file", ['"~/me.md"', '"/srv/me.md"'], ['""', "1", "[]"]),
    "knowledge.enabled": ("knowledge_enabled", ["true", "false"], ['"true"', "1", "[]"]),
    "drift.dwell_secs": ("dwell_secs", ["0", "2.5", "600"], ["-0.1", "601", "nan", '"2"', "true"]),
    "drift.debounce_secs": ("debounce_secs", ["0", "3600"], ["-1", "3601", "inf", "[]", "false"]),
    "drift.cache": ("drift_cache", ['"page"', '"class"'], ['"title"', '["page"]', "1", '""']),
    "drift.shadow": ("shadow", ["true", "false"], ['"true"', "1", "[]"]),
    "drift.many_faced": ("many_faced", ["[]", '["firefox"]'], ["1", "[1]", '""', '[" "]', "true"]),
    "drift.terminals": ("terminals", ["[]", '["kitty", "foot"]'], ["1", "[[]]", "{a = 1}"]),
    "drift.neutral": ("neutral", ["[]", '["rofi"]'], ["1.5", "[true]"]),
    "presence.idle_secs": ("idle_secs", ["30", "179.5", "86400"], ["29", "0", "86401", '"180"']),
    "history.titles": ("history_titles", ['"off"', '"hash"', '"on"'], ['"yes"', "true", '""']),
    "history.exclude": ("history_exclude", ["[]", '["*bank*"]'], ['"*bank*"', "[1]", '[""]']),
    "notify.enabled": ("notify_enabled", ["true", "false"], ['"yes"', "0", "[]"]),
    "notify.repeat_secs": (
        "notify_repeat_secs",
        ["0", "60", "899.5", "86400"],
        ["59", "-1", "86401", "nan", '"900"', "false"],
    ),
    "notify.max_per_hour": ("notify_max_per_hour", ["1", "60"], ["0", "61", "6.0", "true"]),
    "notify.quiet_hours": (
        "",
        ['"22:00-07:30"', '"00:00-23:59"'],
        ['""', '"22-7"', '"24:00-07:00"', '"22:00-07:60"', '"22:00"', "22", "[]"],
    ),
    **{
        f"hooks.{hook}": ("", ['["say", "hello"]', '["/bin/true"]'], ["[]", '"say"', "[1]", '[""]'])
        for hook in ("on_start", "on_drift", "on_refocus", "on_ontask", "on_complete")
    },
    "limits.connections": ("connections", ["1", "4096"], ["0", "4097", "64.0", '"64"', "true"]),
}
"""Each key: the setting with its value as it is, if any; values that are taken; others."""

PLACES = {
    "file": [(key, value) for key, (_, good, _) in KEYS.items() for value in good],
    "bad": [(key, value) for key, (_, _, bad) in KEYS.items() for value in bad],
}


# --- one key -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "value"), PLACES["file"])
def test_a_good_value_is_taken(tmp_path: Path, key: str, value: str) -> None:
    settings, written = load(tmp_path, assignment(key, value)), tomllib.loads(f"value = {value}")
    name = KEYS[key][0]
    setting = getattr(settings, name) if name else settings.chosen[key].value

    assert (list(setting) if isinstance(setting, tuple) else setting) == written["value"]


@pytest.mark.parametrize(("key", "value"), PLACES["bad"])
def test_a_bad_value_is_refused_with_the_file_the_key_and_what_is_allowed(
    tmp_path: Path, key: str, value: str
) -> None:
    message = refusal(tmp_path, assignment(key, value))

    assert message.startswith(f"{tmp_path}/.config/antidrift/config.toml: `{key}` must be ")


def test_every_key_is_tried_here() -> None:
    assert set(KNOWN_KEYS) == set(KEYS)


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ("[drift]\nspeed = 1", "drift.speed"),
        ("[drift]\ndwell_sec = 1", "drift.dwell_sec"),
        ("drift.shadows = 1", "drift.shadows"),
        ("[drift.dwell]\nsecs = 1", "drift.dwell"),
        ("[theme]\ndark = true", "theme"),
        ("theme = 1", "theme"),
        ('"drift.dwell_secs" = 1', "drift.dwell_secs"),
        ('"" = 1', ""),
        ("[[drift]]\ndwell_secs = 1", "drift"),
        ("drift = 1", "drift"),
    ],
)
def test_an_unknown_key_is_refused_with_the_file_the_key_and_what_is_allowed(
    tmp_path: Path, toml: str, key: str
) -> None:
    message = refusal(tmp_path, toml)

    assert message.startswith(f"{tmp_path}/.config/antidrift/config.toml: ")
    assert f"`{key}`" in message
    assert "drift" in message.partition(f"`{key}`")[2] or "sensor" in message


@pytest.mark.parametrize(
    "data", [b"[drift", b"drift = ", b"\xff", b"a = 1\na = 2", b"x = " + b"[" * 5000, b"\0"]
)
def test_what_is_no_toml_is_refused(tmp_path: Path, data: bytes) -> None:
    config = tmp_path / "config.toml"
    config.write_bytes(data)

    assert refusal(tmp_path, flags=Flags(config=str(config))).startswith(f"{config}: is not valid")


@given(text=st.text())
def test_any_other_text_gives_settings_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    config = tmp_path_factory.getbasetemp() / "any.toml"
    config.write_text(text, "utf-8", "replace")
    with suppress(BadSettings):
        load_settings(Flags(config=str(config)), {"HOME": "/nowhere"})


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_bytes(b"\xef\xbb\xbf" + assignment("drift.dwell_secs", "7").encode())

    assert load(tmp_path, flags=Flags(config=str(config))).dwell_secs == 7


# --- lists and files ---------------------------------------------------------------------------


def test_a_list_may_be_a_file_beside_the_config(tmp_path: Path) -> None:
    directory = tmp_path / ".config" / "antidrift"
    directory.mkdir(parents=True)
    (directory / "mine.txt").write_text("# comment\n\n  kitty \nfoot\r\n")

    assert load(tmp_path, '[drift]\nterminals = "mine.txt"').terminals == ("kitty", "foot")


def test_a_list_may_be_a_file_by_its_full_path(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.txt"
    path.write_text("kitty\n")

    assert load(tmp_path, f'[drift]\nneutral = "{path}"').neutral == ("kitty",)


def test_a_list_may_be_a_file_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.txt").write_text("kitty\n")

    assert load(tmp_path, '[drift]\nterminals = "~/mine.txt"').terminals == ("kitty",)


@pytest.mark.parametrize("path", ["missing.txt", "/", "~no-such-user-at-all/x.txt", "binary.txt"])
def test_a_file_that_cannot_be_read_is_refused_with_the_file_and_the_key(
    tmp_path: Path, path: str
) -> None:
    directory = tmp_path / ".config" / "antidrift"
    directory.mkdir(parents=True)
    (directory / "binary.txt").write_bytes(b"\xff\xfe")
    message = refusal(tmp_path, f'[drift]\nterminals = "{path}"')

    assert message.startswith(f"{directory}/config.toml: `drift.terminals`: {path} ")


def test_the_data_files_are_the_defaults(tmp_path: Path) -> None:
    made = load(tmp_path)

    assert any(line.startswith("firefox") for line in made.many_faced)
    assert "kitty" in {line.partition(":")[0] for line in made.terminals}
    assert made.neutral
    assert made.new_tabs
