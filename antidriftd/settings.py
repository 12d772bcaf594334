"""Frozen settings, from flags, environment, config.toml and defaults, in this order."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from protocol import paths

DATA_DIR = Path(__file__).parent / "data"

BACKENDS = ("local", "claude", "codex", "gemini", "ollama", "llm", "command", "none")
TaskSourceName = Literal["none", "marvin", "taskwarrior", "todotxt", "command"]
TASK_SOURCES: tuple[TaskSourceName, ...] = get_args(TaskSourceName)
DEFAULT_PROFILE = "~/.antidrift/knowledge.md"
SENSORS = ("auto", "x11", "none")
SENSOR_NAMES = "auto, x11, replay:FILE[@SPEED] or none"
REPLAY_PREFIX = "replay:"


class BadSettings(Exception):
    """The settings can't be used; the message is one line that names the place and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. Program lists are lines as in the data files."""

    socket: Path
    state_dir: Path
    config: Path
    sensor: str
    ai_backend: str
    ai_command: str
    ai_model: str
    ai_base_url: str
    judgments_per_hour: int
    pass_env: tuple[str, ...]
    judge_timeout_secs: float
    coach_timeout_secs: float
    nudge_every_secs: float
    task_source: TaskSourceName
    task_command: str
    task_file: str
    marvin_command: str
    knowledge_file: str
    knowledge_enabled: bool
    dwell_secs: float
    debounce_secs: float
    drift_cache: Literal["page", "class"]
    many_faced: tuple[str, ...]
    terminals: tuple[str, ...]
    neutral: tuple[str, ...]
    new_tabs: tuple[str, ...]
    connections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the command line says; empty where it says nothing."""

    socket: str = ""
    state_dir: str = ""
    config: str = ""
    sensor: str = ""
    ai: str = ""


# --- config.toml -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Key:
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


_A_LIST = "a list of window classes, or the path of a file with one on each line"

_KEYS: Mapping[str, _Key] = {
    "sensor.name": _Key("auto", is_sensor, SENSOR_NAMES),
    "ai.backend": _Key("local", _is_one_of(*BACKENDS), f"one of {', '.join(BACKENDS)}"),
    "ai.command": _Key("", _is_text, "a command line, as a shell splits it into words"),
    "ai.judgments_per_hour": _Key(120, _is_whole(1, 3600), "a whole number from 1 to 3600"),
    "ai.pass_env": _Key([], _are_texts, "a list of names of environment variables"),
    "ai.judge_timeout_secs": _Key(30, _is_number(1, 600), "a number of seconds from 1 to 600"),
    "ai.coach_timeout_secs": _Key(60, _is_number(1, 600), "a number of seconds from 1 to 600"),
    "ai.model": _Key("", _is_text, "the name of a model that the backend knows"),
    "ai.base_url": _Key("", _is_text, "the address of a server on this machine"),
    "nudge.every_secs": _Key(300, _is_number(0, 86_400), "seconds from 0 (never) to 86400"),
    "tasks.source": _Key("none", _is_one_of(*TASK_SOURCES), f"one of {', '.join(TASK_SOURCES)}"),
    "tasks.command": _Key("", _is_text, "a command line, as a shell splits it into words"),
    "tasks.file": _Key("", _is_text, "the path of a todo.txt file"),
    "knowledge.file": _Key(DEFAULT_PROFILE, _is_text, "the path of a text file"),
    "knowledge.enabled": _Key(True, lambda value: isinstance(value, bool), "true or false"),
    "drift.dwell_secs": _Key(2, _is_number(0, 600), "a number of seconds from 0 to 600"),
    "drift.debounce_secs": _Key(10, _is_number(0, 3600), "a number of seconds from 0 to 3600"),
    "drift.cache": _Key("page", _is_one_of("page", "class"), "page or class"),
    "drift.many_faced": _Key("many_faced.txt", _is_list_or_file, _A_LIST),
    "drift.terminals": _Key("terminals.txt", _is_list_or_file, _A_LIST),
    "drift.neutral": _Key("neutral.txt", _is_list_or_file, _A_LIST),
    "limits.connections": _Key(64, _is_whole(1, 4096), "a whole number from 1 to 4096"),
}


def _read_config(path: Path, *, named: bool) -> dict[str, Any]:
    """Return the values in config.toml by dotted key; only one that was `named` must exist."""
    try:
        tables = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        if not named:
            return {}
        raise BadSettings(f"{path}: there is no such file") from error
    except OSError as error:
        raise BadSettings(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{path}: is not valid TOML: {error}") from error
    values: dict[str, Any] = {}
    for name, table in tables.items():
        known = [key for key in _KEYS if key.startswith(f"{name}.")]
        if not known:
            tops = sorted({key.partition(".")[0] for key in _KEYS})
            raise BadSettings(f"{path}: unknown key `{name}`; allowed are {', '.join(tops)}")
        if not isinstance(table, dict):
            raise BadSettings(f"{path}: `{name}` must be a table with {', '.join(known)}")
        for key, value in table.items():
            values[f"{name}.{key}"] = _checked(path, f"{name}.{key}", value, known)
    return values


def _checked(path: Path, key: str, value: object, known: list[str]) -> object:
    if key not in _KEYS:
        raise BadSettings(f"{path}: unknown key `{key}`; allowed are {', '.join(known)}")
    if not _KEYS[key].check(value):
        raise BadSettings(f"{path}: `{key}` must be {_KEYS[key].allowed}")
    return value


# --- putting it together ---------------------------------------------------------------------


def load_settings(flags: Flags, environ: Mapping[str, str]) -> Settings:
    """Return the settings in force.

    Raises:
        BadSettings: one of them can't be used.
    """
    config, state_dir, socket = _places(flags, environ)
    values = {key: known.default for key, known in _KEYS.items()}
    if environ.get("ANTIDRIFT_MARVIN_CMD"):
        values["tasks.source"] = "marvin"  # unless config.toml names another
    values |= _read_config(config, named=bool(flags.config))

    def chosen(key: str, variable: str, flag: str = "") -> Any:
        return _chosen(key, {"the flag": flag, variable: environ.get(variable, "")}, values)

    return Settings(
        socket=socket,
        state_dir=state_dir,
        config=config,
        sensor=chosen("sensor.name", "ANTIDRIFT_SENSOR", flags.sensor),
        ai_backend=chosen("ai.backend", "ANTIDRIFT_AI_BACKEND", flags.ai),
        ai_command=chosen("ai.command", "ANTIDRIFT_AI_CMD"),
        judgments_per_hour=values["ai.judgments_per_hour"],
        ai_model=values["ai.model"],
        ai_base_url=values["ai.base_url"],
        coach_timeout_secs=values["ai.coach_timeout_secs"],
        nudge_every_secs=values["nudge.every_secs"],
        task_source=values["tasks.source"],
        task_command=values["tasks.command"],
        task_file=values["tasks.file"],
        marvin_command=environ.get("ANTIDRIFT_MARVIN_CMD", ""),
        knowledge_file=chosen("knowledge.file", "ANTIDRIFT_KNOWLEDGE_FILE"),
        knowledge_enabled=values["knowledge.enabled"],
        pass_env=tuple(values["ai.pass_env"]),
        judge_timeout_secs=values["ai.judge_timeout_secs"],
        dwell_secs=values["drift.dwell_secs"],
        debounce_secs=values["drift.debounce_secs"],
        drift_cache=values["drift.cache"],
        many_faced=_lines(config, "drift.many_faced", values),
        terminals=_lines(config, "drift.terminals", values),
        neutral=_lines(config, "drift.neutral", values),
        new_tabs=_read_lines(DATA_DIR / "new_tabs.txt"),
        connections=values["limits.connections"],
    )


def _places(flags: Flags, environ: Mapping[str, str]) -> tuple[Path, Path, Path]:
    """Return config.toml, the state directory and the socket."""
    try:
        config = paths.config_path(environ, flags.config)
        state_dir = paths.state_dir(environ, flags.state_dir)
        socket = paths.socket_path(environ, flags.socket, flags.state_dir)
        # Once more: made absolute it may have become too long.
        socket = paths.socket_path(environ, str(socket.absolute()))
    except ValueError as error:
        raise BadSettings(str(error)) from error
    return config.absolute(), state_dir.absolute(), socket


def _chosen(key: str, offers: Mapping[str, str], values: Mapping[str, Any]) -> Any:
    """Return the first offer that isn't empty, else the value; `offers` are by where they are."""
    for source, offer in offers.items():
        if offer and not _KEYS[key].check(offer):
            raise BadSettings(f"{source}: {offer!r} must be {_KEYS[key].allowed}")
        if offer:
            return offer
    return values[key]


def _lines(config: Path, key: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    value = values[key]
    if isinstance(value, list):
        return tuple(value)
    # A default names a file of ours; a path in config.toml is relative to its directory.
    home = DATA_DIR if value == _KEYS[key].default else config.parent
    try:
        return _read_lines(home / Path(value).expanduser())
    except (OSError, ValueError, RuntimeError) as error:  # a home that nobody knows included
        raise BadSettings(f"{config}: `{key}`: {value} can't be read: {error}") from error


def _read_lines(path: Path) -> tuple[str, ...]:
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
