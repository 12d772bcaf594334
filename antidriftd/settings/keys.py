"""The keys of config.toml: each one's default, and which values it takes."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

BACKENDS = (
    *("local", "semantic", "claude", "codex", "gemini", "ollama", "llm", "command", "none"),
)
TaskSourceName = Literal["none", "marvin", "taskwarrior", "todotxt", "command"]
TASK_SOURCES: tuple[TaskSourceName, ...] = get_args(TaskSourceName)
DEFAULT_PROFILE = "~/.antidrift/knowledge.md"
SENSORS = ("auto", "x11", "none")
SENSOR_NAMES = "auto, x11, replay:FILE[@SPEED] or none"
REPLAY_PREFIX = "replay:"


@dataclass(frozen=True, slots=True)
class Key:
    """One key of config.toml: its default, and how its value is checked."""

    default: Any
    check: Callable[[Any], bool]
    allowed: str


def _is_number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_one_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: value in choices


def is_sensor(value: Any) -> bool:
    """Return whether `value` may name a sensor; only the replay knows which recordings it takes."""
    named = value in SENSORS or (_is_text(value) and value.startswith(REPLAY_PREFIX))
    return named and value != REPLAY_PREFIX


def _is_list_or_file(value: Any) -> bool:
    return _is_text(value) or _are_texts(value)


def _are_words(value: Any) -> bool:
    return _are_texts(value) and bool(value)


def _are_hours(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(f"{_TIME}-{_TIME}", value) is not None


def _is_pause(value: Any) -> bool:
    return _is_number(60, 86_400)(value) or (type(value) is int and value == 0)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_A_PROGRAM = "a list of a program and its arguments"
_A_LIST = "a list of window classes, or the path of a file with one on each line"

KEYS: Final[Mapping[str, Key]] = MappingProxyType(
    {
        "sensor.name": Key("auto", is_sensor, SENSOR_NAMES),
        "ai.backend": Key("local", _is_one_of(*BACKENDS), f"one of {', '.join(BACKENDS)}"),
        "ai.command": Key("", _is_text, "a command line, as a shell splits it into words"),
        "ai.judgments_per_hour": Key(120, _is_whole(1, 3600), "a whole number from 1 to 3600"),
        "ai.pass_env": Key([], _are_texts, "a list of names of environment variables"),
        "ai.judge_timeout_secs": Key(30, _is_number(1, 600), "a number of seconds from 1 to 600"),
        "ai.coach_timeout_secs": Key(60, _is_number(1, 600), "a number of seconds from 1 to 600"),
        "ai.model": Key("", _is_text, "the name of a model that the backend knows"),
        "ai.base_url": Key("", _is_text, "the address of a server on this machine"),
        "nudge.every_secs": Key(300, _is_number(0, 86_400), "seconds from 0 (never) to 86400"),
        "tasks.source": Key("none", _is_one_of(*TASK_SOURCES), f"one of {', '.join(TASK_SOURCES)}"),
        "tasks.command": Key("", _is_text, "a command line, as a shell splits it into words"),
        "tasks.file": Key("", _is_text, "the path of a todo.txt file"),
        "knowledge.file": Key(DEFAULT_PROFILE, _is_text, "the path of a text file"),
        "knowledge.enabled": Key(True, _is_switch, "true or false"),
        "presence.idle_secs": Key(180, _is_number(30, 86_400), "seconds from 30 to 86400"),
        "history.titles": Key("off", _is_one_of("off", "hash", "on"), "off, hash or on"),
        "history.exclude": Key([], _are_texts, "a list of patterns, such as *bank* or keepassxc"),
        "notify.enabled": Key(True, _is_switch, "true or false"),
        "notify.repeat_secs": Key(900, _is_pause, "seconds from 60 to 86400, or 0 (never)"),
        "notify.max_per_hour": Key(6, _is_whole(1, 60), "a whole number from 1 to 60"),
        "notify.quiet_hours": Key("", _are_hours, "two times of day, like 22:00-07:30"),
        "hooks.on_start": Key([], _are_words, _A_PROGRAM),
        "hooks.on_drift": Key([], _are_words, _A_PROGRAM),
        "hooks.on_refocus": Key([], _are_words, _A_PROGRAM),
        "hooks.on_ontask": Key([], _are_words, _A_PROGRAM),
        "hooks.on_complete": Key([], _are_words, _A_PROGRAM),
        "drift.dwell_secs": Key(2, _is_number(0, 600), "a number of seconds from 0 to 600"),
        "drift.debounce_secs": Key(10, _is_number(0, 3600), "a number of seconds from 0 to 3600"),
        "drift.cache": Key("page", _is_one_of("page", "class"), "page or class"),
        "drift.shadow": Key(False, _is_switch, "true or false"),
        "drift.many_faced": Key("many_faced.txt", _is_list_or_file, _A_LIST),
        "drift.terminals": Key("terminals.txt", _is_list_or_file, _A_LIST),
        "drift.neutral": Key("neutral.txt", _is_list_or_file, _A_LIST),
        "limits.connections": Key(64, _is_whole(1, 4096), "a whole number from 1 to 4096"),
    }
)
