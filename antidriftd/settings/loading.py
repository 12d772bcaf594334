"""Frozen settings, from flags, environment, config.toml and defaults, in this order."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, get_args

from antidriftd.core.model import HookName
from antidriftd.core.rules import QuietHours
from antidriftd.settings.config_file import read_config
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import KEYS, TaskSourceName
from protocol import paths

DATA_DIR = Path(__file__).parents[1] / "data"


class Chosen(NamedTuple):
    """A value in force; `source` is `flag`, a variable, the path of config.toml or `default`."""

    value: Any
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the command line says; empty where it says nothing."""

    socket: str = ""
    state_dir: str = ""
    config: str = ""
    sensor: str = ""
    ai: str = ""


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
    idle_secs: float
    history_titles: Literal["off", "hash", "on"]
    history_exclude: tuple[str, ...]
    notify_enabled: bool
    notify_repeat_secs: float
    notify_max_per_hour: int
    quiet_hours: QuietHours | None
    hooks: Mapping[HookName, tuple[str, ...]]
    """The program and arguments of each hook that has one."""
    dwell_secs: float
    debounce_secs: float
    drift_cache: Literal["page", "class"]
    shadow: bool
    many_faced: tuple[str, ...]
    terminals: tuple[str, ...]
    neutral: tuple[str, ...]
    new_tabs: tuple[str, ...]
    connections: int
    flags: Flags
    chosen: Mapping[str, Chosen]
    """The same once more, by key of config.toml, and `socket` and `state_dir`."""


_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sensor.name": "ANTIDRIFT_SENSOR",
        "ai.backend": "ANTIDRIFT_AI_BACKEND",
        "ai.command": "ANTIDRIFT_AI_CMD",
        "knowledge.file": "ANTIDRIFT_KNOWLEDGE_FILE",
    }
)
_AS_IN_THE_FILE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sensor": "sensor.name",
        "ai_backend": "ai.backend",
        "ai_command": "ai.command",
        "ai_model": "ai.model",
        "ai_base_url": "ai.base_url",
        "judgments_per_hour": "ai.judgments_per_hour",
        "pass_env": "ai.pass_env",
        "judge_timeout_secs": "ai.judge_timeout_secs",
        "coach_timeout_secs": "ai.coach_timeout_secs",
        "nudge_every_secs": "nudge.every_secs",
        "task_source": "tasks.source",
        "task_command": "tasks.command",
        "task_file": "tasks.file",
        "knowledge_file": "knowledge.file",
        "knowledge_enabled": "knowledge.enabled",
        "idle_secs": "presence.idle_secs",
        "history_titles": "history.titles",
        "history_exclude": "history.exclude",
        "notify_enabled": "notify.enabled",
        "notify_repeat_secs": "notify.repeat_secs",
        "notify_max_per_hour": "notify.max_per_hour",
        "dwell_secs": "drift.dwell_secs",
        "debounce_secs": "drift.debounce_secs",
        "drift_cache": "drift.cache",
        "shadow": "drift.shadow",
        "many_faced": "drift.many_faced",
        "terminals": "drift.terminals",
        "neutral": "drift.neutral",
        "connections": "limits.connections",
    }
)
"""Settings that take a key's value as it is."""

_LISTS = ("drift.many_faced", "drift.terminals", "drift.neutral")


def load_settings(flags: Flags, environ: Mapping[str, str]) -> Settings:
    """Return the settings in force.

    Raises:
        BadSettings: one of them can't be used.
    """
    config, state_dir, socket = _places(flags, environ)
    chosen = _choose(flags, environ, config)
    values = {key: each.value for key, each in chosen.items()}
    return Settings(
        socket=socket,
        state_dir=state_dir,
        config=config,
        marvin_command=environ.get("ANTIDRIFT_MARVIN_CMD", ""),
        quiet_hours=_quiet_hours(values["notify.quiet_hours"]),
        hooks=MappingProxyType(_hooks(values)),
        new_tabs=_read_lines(DATA_DIR / "new_tabs.txt"),
        flags=flags,
        chosen=MappingProxyType(chosen | _chosen_places(flags, environ, state_dir, socket)),
        **{name: _frozen(values[key]) for name, key in _AS_IN_THE_FILE.items()},
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _quiet_hours(text: str) -> QuietHours | None:
    if not text:
        return None
    begin, end = (int(time[:2]) * 3600 + int(time[3:]) * 60 for time in text.split("-"))
    return QuietHours(begin, end)


def _hooks(values: Mapping[str, Any]) -> dict[HookName, tuple[str, ...]]:
    names: tuple[HookName, ...] = get_args(HookName)
    return {name: tuple(argv) for name in names if (argv := values[f"hooks.{name}"])}


def _places(flags: Flags, environ: Mapping[str, str]) -> tuple[Path, Path, Path]:
    """Return config.toml, the state directory and the socket."""
    try:
        config = Path(paths.config_path(environ, flags.config))
        state_dir = Path(paths.state_dir(environ, flags.state_dir))
        socket = Path(paths.socket_path(environ, flags.socket, flags.state_dir)).absolute()
        paths.socket_path(environ, str(socket))  # made absolute it may have become too long
    except ValueError as error:
        raise BadSettings(str(error)) from error
    return config.absolute(), state_dir.absolute(), socket


def _chosen_places(
    flags: Flags, environ: Mapping[str, str], state_dir: Path, socket: Path
) -> dict[str, Chosen]:
    def source(flag: str, variable: str) -> str:
        return "flag" if flag else variable if environ.get(variable) else "default"

    return {
        "socket": Chosen(str(socket), source(flags.socket, "ANTIDRIFT_SOCKET")),
        "state_dir": Chosen(str(state_dir), source(flags.state_dir, "ANTIDRIFT_STATE_DIR")),
    }


def _choose(flags: Flags, environ: Mapping[str, str], config: Path) -> dict[str, Chosen]:
    """Return what is in force of each key of config.toml."""
    chosen = {key: Chosen(known.default, "default") for key, known in KEYS.items()}
    if environ.get("ANTIDRIFT_MARVIN_CMD"):  # unless config.toml names another
        chosen["tasks.source"] = Chosen("marvin", "ANTIDRIFT_MARVIN_CMD")
    in_file = read_config(config, named=bool(flags.config))
    chosen |= {key: Chosen(value, str(config)) for key, value in in_file.items()}
    by_flag = {"sensor.name": flags.sensor, "ai.backend": flags.ai}
    for key, variable in _VARIABLES.items():
        if flag := by_flag.get(key):
            chosen[key] = Chosen(_checked("the flag", key, flag), "flag")
        elif offer := environ.get(variable):
            chosen[key] = Chosen(_checked(variable, key, offer), variable)
    return chosen | {key: _with_lines(key, chosen[key], config) for key in _LISTS}


def _checked(place: str, key: str, offer: str) -> str:
    if not KEYS[key].check(offer):
        raise BadSettings(f"{place}: {offer!r} must be {KEYS[key].allowed}")
    return offer


def _with_lines(key: str, chosen: Chosen, config: Path) -> Chosen:
    """Return the list itself, where the name of a file was given."""
    value = chosen.value
    if isinstance(value, list):
        return chosen._replace(value=tuple(value))
    # A default names a file of ours; a path in config.toml is relative to its directory.
    home = DATA_DIR if value == KEYS[key].default else config.parent
    try:
        return chosen._replace(value=_read_lines(home / Path(value).expanduser()))
    except (OSError, ValueError, RuntimeError) as error:  # a home that nobody knows included
        raise BadSettings(f"{config}: `{key}`: {value} can't be read: {error}") from error


def _read_lines(path: Path) -> tuple[str, ...]:
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
