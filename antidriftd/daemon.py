"""The daemon's life: start order, the long-lived tasks, ready, shutdown."""

import gc
import logging
import signal
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import trio

from antidriftd.adapters.hooks.port import Hooks
from antidriftd.adapters.notifications.port import Notifier
from antidriftd.adapters.presence.port import PresenceWatcher
from antidriftd.adapters.prompt.port import PromptFile
from antidriftd.adapters.store.port import Stores
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import (
    AllowContext,
    Command,
    CompleteSession,
    ExtendSession,
    InputSeen,
    MachineSleeps,
    Refocus,
    ResumeSession,
    ScreenLocked,
    SensorChanged,
    TimeElapsed,
    WindowFocused,
)
from antidriftd.core.model import NotificationChoice, SensorHealth, Window
from antidriftd.core.state import State
from antidriftd.rpc import told, wire
from antidriftd.rpc.listener import open_socket, serve
from antidriftd.rpc.methods import Methods
from antidriftd.runtime.checkup import Checkup, Look
from antidriftd.runtime.clock import Clock
from antidriftd.runtime.effects import EffectRunner
from antidriftd.runtime.engine import Engine
from antidriftd.runtime.experience import PastAnswers
from antidriftd.runtime.hooks import HookQueue
from antidriftd.runtime.hub import Hub
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.prompt import Prompt
from antidriftd.runtime.requests import Requests, Sources
from antidriftd.runtime.supervisor import keep_running
from antidriftd.runtime.systemd import ServiceManager
from antidriftd.runtime.timer import Timer

_log = logging.getLogger(__name__)

_LAST_SAVE_SECS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The outside world as the daemon sees it: its ports, its clock, where it listens."""

    stores: Stores
    presence: PresenceWatcher
    sources: Sources
    past: PastAnswers
    is_past_asked: bool
    """Whether an advisor asks what was learned, so that it has to be known."""
    sensor: WindowSensor
    notifier: Notifier
    hooks: Hooks
    prompt_file: PromptFile
    clock: Clock
    boot_id: str
    manager: ServiceManager
    inherited: socket.socket | None = None
    """The socket that the service manager listens on for us."""
    about: wire.About
    connections: int
    """How many clients are served at a time."""
    learner: Learner | None = None
    looks: Mapping[str, Look] = field(default_factory=dict)
    """What `doctor` looks at."""


class _Sink:
    """Takes what the sensor and the desktop report to the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def window_focused(self, window: Window | None) -> None:
        """Tell which window is in front now."""
        self._engine.dispatch(WindowFocused(window))

    def input_seen(self, idle_secs: float | None) -> None:
        """Tell how long ago a key or the mouse was touched last."""
        self._engine.dispatch(InputSeen(idle_secs))

    def screen_locked(self, locked: bool) -> None:
        """Tell whether the screen is locked."""
        self._engine.dispatch(ScreenLocked(locked))

    def machine_sleeps(self, asleep: bool) -> None:
        """Tell that the machine is about to sleep, or awake again."""
        self._engine.dispatch(MachineSleeps(asleep))

    def sensor_changed(self, health: SensorHealth) -> None:
        """Tell whether windows can be seen."""
        self._engine.dispatch(SensorChanged(health))


class _Answers:
    """Takes what was chosen in a notification as the command that it stands for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def notification_answered(self, notification: int, choice: NotificationChoice) -> None:
        """Carry out what was chosen, unless the notification is past by now."""
        shown = self._engine.state.notified.shown
        if shown is None or shown.id != notification:
            return
        try:
            self._engine.dispatch(_CHOSEN[choice])
        except TransitionRefused as refusal:
            _log.info("what was chosen in a notification is refused: %s", refusal)


_CHOSEN: Mapping[NotificationChoice, Command] = MappingProxyType(
    {
        "refocus": Refocus(),
        "ontask": AllowContext(),
        "complete": CompleteSession(),
        "extend": ExtendSession(5 * 60),
        "resume": ResumeSession(),
    }
)


class Daemon:
    """The parts that live as long as the process, joined together."""

    def __init__(self, outside: Outside, state: State) -> None:
        self._outside = outside
        self._timer = Timer()
        self._hub = Hub(wire.encode_state)
        self._requests = Requests(outside.sources)
        self._prompt = Prompt(outside.prompt_file)
        self._hooks = HookQueue(outside.hooks, told.hook_event)
        self._runner = EffectRunner(
            stores=outside.stores,
            sensor=outside.sensor,
            notifier=outside.notifier,
            hooks=self._hooks,
            requests=self._requests,
            boot_id=outside.boot_id,
        )
        self._engine = Engine(
            state,
            clock=outside.clock,
            timer=self._timer,
            perform=self._runner.perform,
            publish=self._hub.publish,
            show_prompt=lambda shown: self._prompt.tell(told.prompt_line(shown)),
        )

    async def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGHUP; then end every program, save, and return.

        Raises:
            AlreadyRunning, UnsafePath, OSError: the socket can't be had.
        """
        with (
            # Before anybody can see that we run, so that nobody's signal ends us unprepared.
            trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals,
            open_socket(Path(self._outside.about.socket), self._outside.inherited) as sock,
        ):
            async with trio.open_nursery() as ending:
                async with trio.open_nursery() as nursery:
                    self._start_parts(nursery, sock)
                    self._be_ready()
                    number = await anext(signals)
                    _log.info("%s: stopping", signal.Signals(number).name)
                    ending.start_soon(_ignore, signals)
                    self._outside.manager.tell("STOPPING=1")
                    nursery.cancel_scope.cancel()
                self._pass_time()
                with trio.move_on_after(_LAST_SAVE_SECS):
                    await self._runner.save(self._engine)
                self._outside.prompt_file.remove()
                ending.cancel_scope.cancel()

    def _start_parts(self, nursery: trio.Nursery, sock: socket.socket) -> None:
        nursery.start_soon(self._timer.run, self._pass_time)
        nursery.start_soon(self._hub.run)
        nursery.start_soon(self._runner.run, self._engine)
        nursery.start_soon(self._outside.manager.keep_alive, self._engine)
        nursery.start_soon(self._notify)
        nursery.start_soon(self._watch_presence)
        nursery.start_soon(self._run_hooks)
        if self._outside.is_past_asked:
            nursery.start_soon(self._remember)
        nursery.start_soon(self._learn)
        nursery.start_soon(self._sense)
        nursery.start_soon(self._serve, sock)

    def _pass_time(self) -> None:
        self._engine.dispatch(TimeElapsed())

    async def _sense(self) -> None:
        sink = _Sink(self._engine)

        def lost(why: str) -> None:
            sink.sensor_changed(replace(self._engine.state.sensor, ok=False, detail=why))

        await keep_running(
            "the window sensor", lambda: self._outside.sensor.run(sink), on_failure=lost
        )

    async def _watch_presence(self) -> None:
        sink = _Sink(self._engine)
        await keep_running("presence", lambda: self._outside.presence.run(sink))

    async def _notify(self) -> None:
        answers = _Answers(self._engine)
        await keep_running("notifications", lambda: self._outside.notifier.run(answers))

    async def _run_hooks(self) -> None:
        await keep_running("the hooks", lambda: self._hooks.run(self._engine.dispatch))

    async def _remember(self) -> None:
        await keep_running("what was learned", self._outside.past.run)

    async def _learn(self) -> None:
        learner, engine = self._outside.learner, self._engine
        if learner is not None:
            await keep_running("learning", lambda: learner.run(engine.dispatch, engine.state))

    async def _serve(self, sock: socket.socket) -> None:
        outside = self._outside
        methods = Methods(
            self._engine,
            self._requests,
            outside.about,
            Checkup(outside.looks),
            outside.past,
            outside.learner,
        )
        await serve(sock, methods, self._hub, limit=self._outside.connections)

    def _be_ready(self) -> None:
        self._engine.begin()
        self._pass_time()
        # What was made at the start stays: modules, classes, settings. A full collection would look
        # at all of it each time, some 40,000 objects in 5 ms, while nobody is served.
        gc.collect()
        gc.freeze()
        _log.info("listening on %s", self._outside.about.socket)
        self._outside.manager.tell("READY=1")


async def _ignore(signals: AsyncIterator[int]) -> None:
    """Take what else comes, a second Ctrl-C say, so that it doesn't cut the ending short."""
    async for number in signals:
        _log.info("%s: stopping already", signal.Signals(number).name)
