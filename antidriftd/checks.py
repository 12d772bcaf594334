"""What the daemon looks at when it is asked how it does: each look finds one thing, and what helps.

A remedy is a command to type, or what to change and where.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import trio

from antidriftd.adapters.knowledge.port import KnowledgeError, KnowledgeSource
from antidriftd.adapters.notifications.port import NoNotificationBus, NotificationError, Notifier
from antidriftd.adapters.tasks.port import TaskSource, TaskSourceError
from antidriftd.core.model import SensorHealth
from antidriftd.core.state import State
from antidriftd.programs.errors import ProgramError
from antidriftd.runtime.checkup import Found, Look
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.loading import Flags, Settings

_SETTLE_SECS: Final = 3.0
_SETTLE_TRIES: Final = 60
_THREADS: Final = 4
_StateNow: TypeAlias = Callable[[], State]


def _own_threads() -> trio.CapacityLimiter:
    """Return room for threads that a dead network drive may hold: they are missed nowhere else."""
    return trio.CapacityLimiter(_THREADS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What is looked at, and how it would be made anew now."""

    settings: Settings
    environ: Mapping[str, str]
    reload: Callable[[], Settings]
    """Reads and checks the settings again; raises `BadSettings`."""
    make_advisor: Callable[[], object]
    """Looks for the AI program again; raises `ProgramError`."""
    make_tasks: Callable[[], TaskSource | None]
    """Looks for the task list's program again; raises `ProgramError`."""
    knowledge: KnowledgeSource | None
    notifier: Notifier
    threads: trio.CapacityLimiter = field(default_factory=_own_threads)


def looks_at(parts: Parts) -> Mapping[str, Look]:
    """Return the looks, by name, in the order in which a person reads them."""
    return MappingProxyType(
        {
            "config": partial(_look_at_config, parts),
            "display": partial(_look_at_display, parts),
            "sensor": partial(_look_at_sensor, parts),
            "ai": partial(_look_at_ai, parts),
            "notifications": partial(_look_at_notifications, parts),
            "profile": partial(_look_at_profile, parts),
            "tasks": partial(_look_at_tasks, parts),
        }
    )


# --- settings --------------------------------------------------------------------------------


async def _look_at_config(parts: Parts, state: _StateNow) -> Found:
    del state
    ours = parts.settings
    try:
        now, exists = await trio.to_thread.run_sync(
            lambda: (parts.reload(), ours.config.exists()),
            limiter=parts.threads,
            abandon_on_cancel=True,
        )
    except BadSettings as error:
        check = _command(ours.flags, "--check-config")
        return Found(
            "failed",
            f"{error} (the daemon goes on with what it read when it started)",
            f"correct that; `{check}` tells when it is good",
        )
    changed = [key for key, each in now.chosen.items() if each.value != ours.chosen[key].value]
    if changed:
        detail = f"{ours.config}: changed since the daemon started: {', '.join(changed)}"
        return Found("warning", detail, _restart(parts))
    known = "good" if exists else "no such file, so the defaults hold"
    return Found("ok", f"{ours.config}: {known}")


def _command(flags: Flags, *more: str) -> str:
    """Return the command line that starts the daemon as this one was started."""
    given = ((each.name, getattr(flags, each.name)) for each in fields(flags))
    words = [(f"--{name.replace('_', '-')}", value) for name, value in given if value]
    return shlex.join(["antidriftd", *(word for pair in words for word in pair), *more])


def _restart(parts: Parts) -> str:
    # SYSTEMD_EXEC_PID is inherited by others, but names only the process of the unit itself.
    if parts.environ.get("SYSTEMD_EXEC_PID") == str(os.getpid()):
        return "restart the daemon: `systemctl --user restart antidriftd`"
    again = _command(parts.settings.flags)
    return f"restart the daemon: stop it (`kill {os.getpid()}`), then start it again (`{again}`)"


def _instead(parts: Parts, key: str, value: str) -> str:
    """Say how to set `key` to `value`: where it is set now, as nothing else would count."""
    table, _, name = key.partition(".")
    source = parts.settings.chosen[key].source
    if source == "flag":
        return f"start the daemon with --{table} {value}"
    if source in parts.environ and key != "tasks.source":  # whose variable is weaker than the file
        return f"start the daemon with {source}={value}"
    return f'set {name} = "{value}" below [{table}] in {parts.settings.config}'


# --- seeing windows --------------------------------------------------------------------------


async def _look_at_display(parts: Parts, state: _StateNow) -> Found:
    chosen = parts.settings.sensor
    if not _is_x11(chosen):
        return Found("ok", f"none is needed: sensor.name is {chosen}")
    return _of_display(parts, await _settled(state))


async def _look_at_sensor(parts: Parts, state: _StateNow) -> Found:
    health = await _settled(state)
    if health.ok:
        return Found("ok", f"{health.name} is running")
    if health.name == "none":
        return Found("ok", "none: windows are not watched, as sensor.name says")
    if _is_x11(parts.settings.sensor):
        display = _of_display(parts, health)
        return Found(display.status, f"{health.name} sees no windows", display.remedy)
    remedy = f"{_instead(parts, 'sensor.name', 'auto')}, or name a recording that can be played"
    return Found("failed", f"{health.name} sees no windows: {health.detail}", remedy)


def _of_display(parts: Parts, health: SensorHealth) -> Found:
    """Return how an X11 sensor's display does; only one that was asked for by name is missed."""
    if health.ok and not health.detail:
        return Found("ok", "X11, and the window manager names the window in front")
    if health.ok:
        return Found(
            "warning", health.detail, "start a window manager that follows EWMH: `openbox`, say"
        )
    status: Literal["failed", "warning"]
    status = "failed" if parts.settings.sensor == "x11" else "warning"
    if health.takes_display:
        help_now = "type `antidrift status` in a terminal on the desktop"
    elif health.is_wayland:
        help_now = "log out, and choose an X11 (or Xorg) session when you log in"
    else:
        help_now = _restart(parts)
    return Found(status, health.detail, help_now)


def _is_x11(sensor: str) -> bool:
    return sensor in {"auto", "x11"}


async def _settled(state: _StateNow) -> SensorHealth:
    """Return the sensor's health, once it has had the time to connect."""
    for _ in range(_SETTLE_TRIES):
        if not _may_come_up(state().sensor):
            break
        await trio.sleep(_SETTLE_SECS / _SETTLE_TRIES)
    return state().sensor


def _may_come_up(health: SensorHealth) -> bool:
    return not health.ok and health.name != "none" and not health.is_wayland


# --- whom the daemon asks --------------------------------------------------------------------


async def _look_at_ai(parts: Parts, state: _StateNow) -> Found:
    backend = parts.settings.ai_backend
    if backend == "none":
        return Found("ok", "none: nobody judges, only what you allow counts")
    if backend == "local":
        return Found("ok", "local: built in")
    try:
        await trio.to_thread.run_sync(
            parts.make_advisor, limiter=parts.threads, abandon_on_cancel=True
        )
    except ProgramError as error:
        remedy = f"install it, or {_instead(parts, 'ai.backend', 'local')}; then {_restart(parts)}"
        return Found("failed", f"{backend}: {error}", remedy)
    if not state().rules.has_judge:
        return Found("warning", f"{backend}: not there when the daemon started", _restart(parts))
    found = "its model is installed" if backend == "semantic" else "its program is there"
    return Found("ok", f"{backend}: {found}")


async def _look_at_notifications(parts: Parts, state: _StateNow) -> Found:
    del state
    if not parts.settings.notify_enabled:
        return Found("ok", "off: notify.enabled is false")
    try:
        return Found("ok", f"shown by {await parts.notifier.probe()}")
    except NoNotificationBus as error:
        place = "from a terminal on the desktop, where DBUS_SESSION_BUS_ADDRESS is set"
        return Found("warning", str(error), f"{_restart(parts)} {place}")
    except NotificationError as error:
        remedy = "start a notification daemon on the desktop: `dunst`, say"
        return Found("warning", str(error), remedy)


async def _look_at_profile(parts: Parts, state: _StateNow) -> Found:
    if parts.knowledge is None:
        return Found("ok", "never read: knowledge.enabled is false")
    try:
        profile = await parts.knowledge.load(state().profile_path)
    except KnowledgeError as error:
        remedy = "make it a file that you can read, or choose one: `antidrift knowledge-path PATH`"
        return Found("failed", str(error), remedy)
    if not profile.text:
        return Found("ok", f"{profile.path}: none, so the coach knows nothing of you")
    return Found("ok", f"{profile.path}: {len(profile.text)} characters")


async def _look_at_tasks(parts: Parts, state: _StateNow) -> Found:
    name = parts.settings.task_source
    if name == "none":
        return Found("ok", "none: tasks.source names no list")
    otherwise = f"or {_instead(parts, 'tasks.source', 'none')}; then {_restart(parts)}"
    try:
        source = await trio.to_thread.run_sync(
            parts.make_tasks, limiter=parts.threads, abandon_on_cancel=True
        )
        tasks = await source.fetch() if source else ()
    except ProgramError as error:
        return Found("failed", f"{name}: {error}", f"install it, {otherwise}")
    except TaskSourceError as error:
        return Found("failed", f"{name}: {error}", f"mend that, {otherwise}")
    if not state().rules.has_tasks:
        return Found("warning", f"{name}: not there when the daemon started", _restart(parts))
    return Found("ok", f"{name}: tasks for today: {len(tasks)}")
