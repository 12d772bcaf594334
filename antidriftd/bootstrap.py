"""The composition root: the only module that names a concrete adapter."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from antidriftd.adapters.advisor.local import local_coach, local_drift_judge
from antidriftd.adapters.advisor.programs import ProgramAdvisor, program_advisor
from antidriftd.adapters.custody.bases import FileBases
from antidriftd.adapters.evidence.files import FileEvidence
from antidriftd.adapters.hooks.programs import ProgramHooks
from antidriftd.adapters.knowledge.file import file_knowledge_source
from antidriftd.adapters.knowledge.node import NodeKnowledgeSource
from antidriftd.adapters.notifications.dbus import DBusNotifier
from antidriftd.adapters.notifications.none import NoNotifier
from antidriftd.adapters.notifications.port import Notifier
from antidriftd.adapters.presence.desktop import DesktopPresenceWatcher
from antidriftd.adapters.prompt.file import RuntimePromptFile
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.port import Loaded, Stores, keep_nothing
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from antidriftd.adapters.store.title_key import title_key
from antidriftd.adapters.tasks.port import TaskSource
from antidriftd.adapters.tasks.sources import task_source
from antidriftd.adapters.windows.none import NoWindowSensor
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.adapters.windows.replay_sensor import ReplayWindowSensor, parse_replay_spec
from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.checks import Parts as CheckedParts
from antidriftd.checks import looks_at
from antidriftd.core.model import Display, SensorHealth
from antidriftd.core.notices import ADVISOR_TOPIC, TASKS_TOPIC
from antidriftd.core.restore import restore
from antidriftd.core.state import Notice
from antidriftd.daemon import Daemon, Outside
from antidriftd.dbus.addresses import session_bus_address, system_bus_address
from antidriftd.programs.errors import ProgramError
from antidriftd.rpc.wire import About
from antidriftd.runtime.activation import inherited_socket
from antidriftd.runtime.checkup import Look
from antidriftd.runtime.clock import SystemClock, boot_id
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.learning.parts import Parts
from antidriftd.runtime.ownership import hold_lock, make_private_dir
from antidriftd.runtime.requests import Sources
from antidriftd.runtime.systemd import ServiceManager
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import REPLAY_PREFIX
from antidriftd.settings.loading import Settings, load_settings
from antidriftd.settings.rules import rules_of
from protocol.history import HISTORY_FILE
from protocol.paths import bindings_path, knowledge_dir, prompt_path


async def run(settings: Settings, environ: Mapping[str, str]) -> None:
    """Run the daemon until it is told to stop.

    Raises:
        BadSettings, BadActivation, AlreadyRunning, UnsafePath, StoreError, OSError: it can't start.
    """
    inherited = inherited_socket(environ, settings.socket)
    check(settings, environ)
    make_private_dir(settings.state_dir)
    with hold_lock(settings.state_dir / "lock", f"socket {settings.socket}"):
        clock = SystemClock()
        store = FileSnapshotStore(settings.state_dir / "snapshot.json", clock.utc)
        loaded = await store.load()
        sources, notices = _sources(settings, environ)
        state = restore(
            loaded.saved,
            rules=rules_of(settings, sources, _title_key(settings)),
            sensor=SensorHealth(settings.sensor.partition(":")[0], ok=False, detail="starting"),
            boot_id=boot_id(),
            now=clock.now(),
            notices=[*_trouble(loaded), *notices],
        )
        notifier = _notifier(settings, environ)
        learner = _learner(settings, environ, sources, clock)
        outside = Outside(
            stores=_stores(settings, store, clock, learner),
            sources=sources,
            sensor=_sensor(settings, environ, state.display),
            notifier=notifier,
            presence=_presence(environ),
            hooks=ProgramHooks(settings.hooks, environ=environ, pass_env=settings.pass_env),
            prompt_file=RuntimePromptFile(prompt_path(settings.socket)),
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


def _stores(
    settings: Settings, snapshot: FileSnapshotStore, clock: SystemClock, learner: Learner | None
) -> Stores:
    history = SqliteHistoryStore(settings.state_dir / HISTORY_FILE, clock.utc)
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
    _check("sensor", lambda: _sensor(settings, environ, None))
    if settings.ai_backend not in {"local", "none"}:
        _check("ai", lambda: _advisor(settings, environ))
    _check("tasks", lambda: _task_source(settings, environ))


def _check(table: str, build: Callable[[], object]) -> None:
    try:
        build()
    except ProgramError:
        pass  # a notice at the start, and it may be installed by then
    except ValueError as error:
        raise BadSettings(f"{table}: {error}") from error


def _trouble(loaded: Loaded) -> list[Notice]:
    return [Notice("snapshot", loaded.trouble, is_event=True)] if loaded.trouble else []


def _sources(settings: Settings, environ: Mapping[str, str]) -> tuple[Sources, list[Notice]]:
    """Return whom to ask, and why somebody is missing; a missing program is no failed start."""
    notices: list[Notice] = []
    knowledge = None
    if settings.knowledge_enabled:
        knowledge = NodeKnowledgeSource(
            settings.knowledge_file,
            file_knowledge_source(settings.knowledge_file, environ),
            _bases(environ).read,
        )
    tasks: TaskSource | None = None
    try:
        tasks = _task_source(settings, environ)
    except ProgramError as error:
        notices.append(Notice(TASKS_TOPIC, f"no task list: {error}", is_event=False))
    sources = Sources(tasks=tasks, knowledge=knowledge)
    match settings.ai_backend:
        case "none":
            return sources, notices
        case "local":
            return replace(sources, judge=local_drift_judge(), coach=local_coach()), notices
        case _:
            try:
                advisor = _advisor(settings, environ)
            except ProgramError as error:
                text = f"no advisor, only your allowed windows are matched: {error}"
                return sources, [*notices, Notice(ADVISOR_TOPIC, text, is_event=False)]
            return replace(sources, judge=advisor, coach=advisor, nudger=advisor), notices


def _bases(environ: Mapping[str, str]) -> FileBases:
    return FileBases(str(bindings_path(environ)), knowledge_dir(environ), environ)


def _learner(
    settings: Settings, environ: Mapping[str, str], sources: Sources, clock: SystemClock
) -> Learner | None:
    if not settings.knowledge_enabled:
        return None
    judge = sources.coach.evidence_judge if isinstance(sources.coach, ProgramAdvisor) else None
    folder = knowledge_dir(environ)
    parts = Parts(bases=_bases(environ), evidence=FileEvidence(folder), judge=judge, clock=clock)
    return Learner(parts, data_dir=str(folder), default_profile=settings.knowledge_file)


def _advisor(settings: Settings, environ: Mapping[str, str]) -> ProgramAdvisor:
    return program_advisor(
        settings.ai_backend,
        command=settings.ai_command,
        model=settings.ai_model,
        base_url=settings.ai_base_url,
        judge_timeout_secs=settings.judge_timeout_secs,
        coach_timeout_secs=settings.coach_timeout_secs,
        environ=environ,
        pass_env=settings.pass_env,
    )


def _task_source(settings: Settings, environ: Mapping[str, str]) -> TaskSource | None:
    is_marvin = settings.task_source == "marvin"
    return task_source(
        settings.task_source,
        command=settings.marvin_command if is_marvin else settings.task_command,
        file=settings.task_file,
        environ=environ,
        pass_env=settings.pass_env,
        utc=SystemClock().utc,
    )


def _notifier(settings: Settings, environ: Mapping[str, str]) -> Notifier:
    if not settings.notify_enabled:
        return NoNotifier()
    return DBusNotifier(session_bus_address(environ))


def _presence(environ: Mapping[str, str]) -> DesktopPresenceWatcher:
    return DesktopPresenceWatcher(
        system_bus_address(environ),
        session_bus_address(environ),
        environ.get("XDG_SESSION_ID", ""),
    )


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
            make_advisor=lambda: _advisor(settings, environ),
            make_tasks=lambda: _task_source(settings, environ),
            knowledge=sources.knowledge,
            notifier=notifier,
        )
    )


def _sensor(
    settings: Settings, environ: Mapping[str, str], remembered: Display | None
) -> WindowSensor:
    if settings.sensor.startswith(REPLAY_PREFIX):
        path, speed = parse_replay_spec(settings.sensor.removeprefix(REPLAY_PREFIX))
        return ReplayWindowSensor(path, speed)
    if settings.sensor == "none":
        return NoWindowSensor()
    session_type = environ.get("XDG_SESSION_TYPE", "")
    own = Display(environ.get("DISPLAY", ""), environ.get("XAUTHORITY", ""), session_type)
    return X11WindowSensor(
        own if own.name else remembered,
        wayland=bool(environ.get("WAYLAND_DISPLAY")) or session_type == "wayland",
        name="x11" if settings.sensor == "x11" else "auto",
    )


def _title_key(settings: Settings) -> bytes:
    """Return what titles, and pages in answers, are hashed with; as they are they need no key."""
    is_needed = settings.history_titles != "on"
    return title_key(settings.state_dir / "title.key") if is_needed else b""
