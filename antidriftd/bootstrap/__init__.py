"""The composition root: the only module that names a concrete adapter."""

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from antidriftd.adapters.hooks.programs import ProgramHooks
from antidriftd.adapters.notifications.port import Notifier
from antidriftd.adapters.prompt.file import RuntimePromptFile
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.port import (
    HistoryStore,
    Loaded,
    SnapshotStore,
    StoreError,
    Stores,
    UnsafeStore,
    keep_nothing,
)
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from antidriftd.adapters.store.title_key import KEY_BYTES, title_key
from antidriftd.bootstrap import asked, desktop
from antidriftd.checks import Parts as CheckedParts
from antidriftd.checks import looks_at
from antidriftd.core.model import SensorHealth
from antidriftd.core.restore import restore
from antidriftd.core.rules import Rules
from antidriftd.core.state import Notice, State
from antidriftd.daemon import Daemon, Outside
from antidriftd.programs.errors import ProgramError
from antidriftd.rpc.wire import About
from antidriftd.runtime.activation import inherited_socket
from antidriftd.runtime.checkup import Look
from antidriftd.runtime.clock import SystemClock, boot_id
from antidriftd.runtime.experience import WatchedHistory
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.ownership import hold_lock, make_private_dir
from antidriftd.runtime.requests import Sources
from antidriftd.runtime.systemd import ServiceManager
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.loading import Settings, load_settings
from antidriftd.settings.rules import rules_of
from protocol.history import HISTORY_FILE
from protocol.paths import prompt_path

_log = logging.getLogger(__name__)


async def run(settings: Settings, environ: Mapping[str, str]) -> None:
    """Run the daemon until it is told to stop.

    Raises:
        BadSettings, BadActivation, AlreadyRunning, UnsafePath, StoreError, OSError: it can't start.
    """
    inherited = inherited_socket(environ, settings.socket)
    check(settings, environ)
    make_private_dir(settings.state_dir)
    async with AsyncExitStack() as stack:
        stack.enter_context(hold_lock(settings.state_dir / "lock", f"socket {settings.socket}"))
        clock = SystemClock()
        store = FileSnapshotStore(settings.state_dir / "snapshot.json", clock.utc)
        loaded = await store.load()
        history = SqliteHistoryStore(settings.state_dir / HISTORY_FILE, clock.utc)
        key = _title_key(settings)
        built_in = asked.open_built_in(settings, environ, rules_of(settings, Sources(), key))
        past, local = await stack.enter_async_context(built_in)
        sources, notices = asked.make_sources(settings, environ, local)
        rules = rules_of(settings, sources, key)
        state = _restored(settings, loaded, rules, clock, notices)
        notifier = desktop.make_notifier(settings, environ)
        learner = asked.make_learner(settings, environ, sources, clock)
        outside = Outside(
            stores=_stores(store, WatchedHistory(history, past.refresh), learner),
            sources=sources,
            past=past,
            is_past_asked=settings.ai_backend in asked.LEARNS,
            sensor=desktop.make_sensor(settings, environ, state.display),
            notifier=notifier,
            presence=desktop.make_presence(environ),
            hooks=ProgramHooks(settings.hooks, environ=environ, pass_env=settings.pass_env),
            prompt_file=RuntimePromptFile(Path(prompt_path(str(settings.socket)))),
            clock=clock,
            boot_id=boot_id(),
            manager=ServiceManager(environ),
            inherited=inherited,
            about=_about(settings, clock.now().utc),
            looks=_looks(settings, environ, sources, notifier),
            connections=settings.connections,
            learner=learner,
        )
        await Daemon(outside, state).run()


def _restored(
    settings: Settings, loaded: Loaded, rules: Rules, clock: SystemClock, notices: list[Notice]
) -> State:
    return restore(
        loaded.saved,
        rules=rules,
        sensor=SensorHealth(settings.sensor.partition(":")[0], ok=False, detail="starting"),
        boot_id=boot_id(),
        now=clock.now(),
        notices=[*_trouble(loaded), *notices],
    )


def _stores(snapshot: SnapshotStore, history: HistoryStore, learner: Learner | None) -> Stores:
    return Stores(snapshot, history, learner.add if learner else keep_nothing)


def _about(settings: Settings, started: float) -> About:
    return About(
        socket=str(settings.socket),
        state_dir=str(settings.state_dir),
        sensor=settings.sensor,
        ai=settings.ai_backend,
        started=started,
        knowledge_path=settings.knowledge_file if settings.knowledge_enabled else "",
        config=str(settings.config),
        settings=settings.chosen,
    )


def check(settings: Settings, environ: Mapping[str, str]) -> None:
    """Check what only the adapters know of the settings.

    Raises:
        BadSettings: one of them can't be used.
    """
    _check("sensor", lambda: desktop.make_sensor(settings, environ, None))
    _check("ai", lambda: asked.look_for_advisor(settings, environ))
    _check("tasks", lambda: asked.make_task_source(settings, environ))


def _check(table: str, build: Callable[[], object]) -> None:
    try:
        build()
    except ProgramError:
        pass  # a notice at the start, and it may be installed by then
    except ValueError as error:
        raise BadSettings(f"{table}: {error}") from error


def _trouble(loaded: Loaded) -> list[Notice]:
    return [Notice("snapshot", loaded.trouble, is_event=True)] if loaded.trouble else []


def _looks(
    settings: Settings, environ: Mapping[str, str], sources: Sources, notifier: Notifier
) -> Mapping[str, Look]:
    def reload() -> Settings:
        now = load_settings(settings.flags, environ)
        check(now, environ)
        return now

    return looks_at(
        CheckedParts(
            settings=settings,
            environ=environ,
            reload=reload,
            make_advisor=lambda: asked.look_for_advisor(settings, environ),
            make_tasks=lambda: asked.make_task_source(settings, environ),
            knowledge=sources.knowledge,
            notifier=notifier,
        )
    )


def _title_key(settings: Settings) -> bytes:
    """Return what titles, and pages in answers, are hashed with; as they are they need no key."""
    if settings.history_titles == "on":
        return b""
    try:
        synced = settings.history_titles == "hash"
        return title_key(settings.state_dir / "title.key", synced=synced)
    except StoreError as error:
        if settings.history_titles == "hash" or isinstance(error, UnsafeStore):
            raise
        # On a full disk, say, the daemon starts all the same: this run's pages match no others.
        _log.warning("answers of this run are not remembered by page: %s", error)
        return os.urandom(KEY_BYTES)
