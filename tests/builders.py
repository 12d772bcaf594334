"""Builders of the core's values, and a machine driven by a clock that is turned by hand."""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest

from antidriftd.core import events
from antidriftd.core.drift.state import Drift, DriftStatus, Question
from antidriftd.core.effects import (
    AskJudge,
    AskNudger,
    Effect,
    EndRequest,
    SaveSnapshot,
    WriteHistory,
)
from antidriftd.core.errors import RefusalKind, TransitionRefused
from antidriftd.core.evidence import Evidence, length_secs
from antidriftd.core.focus import sight_of
from antidriftd.core.machine import next_deadline, transition
from antidriftd.core.model import Allowance, Moment, SensorHealth, Verdict, Window
from antidriftd.core.requests import begin_all
from antidriftd.core.restore import Saved, restore, saved_from
from antidriftd.core.rules import Rules
from antidriftd.core.state import Active, Review, Session, State
from antidriftd.core.surface import surface
from antidriftd.core.timekeeping import keep_time
from tests.fakes.clock import FakeTime
from tests.under_way import UnderWay

if TYPE_CHECKING:
    from antidriftd.core.recording_state import Record

RULES = Rules(
    has_judge=True,
    many_faced={
        "firefox": ("mozilla firefox", "firefox"),
        "chromium": ("chromium",),
        "xterm": ("xterm",),
        "kitty": (),
    },
    browsers=frozenset({"firefox", "chromium"}),
    terminals=frozenset({"xterm", "kitty"}),
    neutral=frozenset({"rofi", "pinentry", "antidrift"}),
    new_tabs=frozenset({"new tab"}),
)
"""The defaults, with small tables and a judge that costs something."""

FREE_JUDGE = replace(RULES, judge_is_free=True)
NO_JUDGE = replace(RULES, has_judge=False)
WITH_HELP = replace(RULES, has_coach=True, has_knowledge=True, has_tasks=True)
"""With everybody there that planning may ask."""

SENSOR_OK = SensorHealth("x11", ok=True)
SENSOR_LOST = SensorHealth("x11", ok=False, detail="no display", takes_display=True)

BOOT_ID = "first boot"
_STUCK = 20
"""Deadlines that may come at one instant; more is a loop that never ends."""


def a_state(
    rules: Rules = RULES, *, now: Moment, saved: Saved | None = None, boot_id: str = BOOT_ID
) -> State:
    """Return the state that a daemon starts with."""
    return restore(saved, rules=rules, sensor=SENSOR_OK, boot_id=boot_id, now=now)


class Machine:
    """Holds the state, feeds it events, lets time pass, and keeps what was wanted done.

    Every step is checked against what must hold always: the revision rises when something shows,
    and requests come and go as they may.
    """

    def __init__(self, rules: Rules = RULES, *, time: FakeTime | None = None) -> None:
        self.time = time or FakeTime()
        self.rules = rules
        self.state = a_state(rules, now=self.time.now())
        self.effects: list[Effect] = []
        self.asked_at: list[float] = []
        self.disk: Literal["good", "full", "slow"] = "good"
        self._boot_id = BOOT_ID
        self._sessions = 0
        self.history: dict[int, Record] = {}
        """What the history holds, by number; it outlives a restart."""
        self.history_trouble = ""
        """Why the history can't be written; empty when it can."""
        self.under_way = UnderWay(())

    @property
    def active(self) -> Active:
        assert isinstance(self.state.phase, Active)
        return self.state.phase

    @property
    def session(self) -> Session:
        assert isinstance(self.state.phase, Active | Review)
        return self.state.phase.session

    @property
    def drift(self) -> Drift:
        return self.active.drift

    def status(self) -> DriftStatus:
        return self.drift.status

    @property
    def question(self) -> Question | None:
        return self.drift.question

    @property
    def evidence(self) -> Evidence:
        """The totals, counted up to now."""
        phase = keep_time(self.state, self.time.now()).phase
        assert isinstance(phase, Active | Review)
        return phase.session.evidence

    @property
    def length_secs(self) -> float:
        """How long the session has been counted for."""
        return length_secs(self.evidence)

    @property
    def asked(self) -> list[Window]:
        """The windows that the judge was asked about, in order."""
        return [effect.window for effect in self.effects if isinstance(effect, AskJudge)]

    @property
    def ended(self) -> list[int]:
        """The requests that were ended unanswered, in order."""
        return [effect.request for effect in self.effects if isinstance(effect, EndRequest)]

    @property
    def allowed(self) -> list[tuple[str, str]]:
        return [(entry.kind, entry.value) for entry in self.session.allowances]

    @property
    def open_title(self) -> str | None:
        return None if self.drift.open is None else self.drift.open.window.title

    # --- time -------------------------------------------------------------------------------

    def wait(self, secs: float) -> None:
        """Let time pass, with an event at each deadline on the way."""
        end, fired_at, fired = self.time.mono + secs, float("-inf"), 0
        while True:
            delay = next_deadline(self.state, self.time.now())
            if delay is None or self.time.mono + delay > end:
                break
            self.time.advance(delay)
            fired = fired + 1 if self.time.mono - fired_at < 1e-6 else 1
            fired_at = self.time.mono
            assert fired < _STUCK, f"deadlines without end: {self.state}"
            self.feed(events.TimeElapsed())
        self.time.advance(max(0.0, end - self.time.mono))

    def suspend(self, secs: float) -> None:
        """Let the machine sleep, and wake up with an event."""
        self.time.suspend(secs)
        self.feed(events.TimeElapsed())

    # --- events -----------------------------------------------------------------------------

    def feed(self, event: events.Event) -> tuple[Effect, ...]:
        """Take an event; return what it wants done. Saves are answered as `disk` says."""
        before = self.state
        result = transition(before, event, self.time.now())
        self.state = result.state
        self.under_way.answer(event)
        self._check(before, result.effects)
        self.effects += result.effects
        if SaveSnapshot() in result.effects and self.disk != "slow":
            revision = self.state.revision
            saved = events.SnapshotSaved(revision, self.state.recording.next_number - 1)
            failed = events.SnapshotFailed(revision, "No space left on device")
            self.feed(saved if self.disk == "good" else failed)
        for effect in result.effects:
            if isinstance(effect, WriteHistory):
                self._write_history(effect)
        return result.effects

    def _write_history(self, effect: WriteHistory) -> None:
        if self.history_trouble:
            self.feed(events.HistoryFailed(self.history_trouble))
            return
        self.history |= {entry.number: entry.record for entry in effect.entries}
        self.feed(events.HistoryWritten(effect.entries[-1].number))

    def _check(self, before: State, effects: tuple[Effect, ...]) -> None:
        rose = self.state.revision - before.revision
        assert rose in {0, 1}
        assert rose or surface(before) == surface(self.state)
        active, window = self.state.phase, self.state.window
        if isinstance(active, Active):
            seen = None if window is None else sight_of(active.session, self.rules, window)
            assert active.front == seen
        self.under_way.follow(*effects)
        asked = [effect for effect in effects if isinstance(effect, AskJudge | AskNudger)]
        self.asked_at += [self.time.mono] * len(asked)

    def refused(self, command: events.Command) -> RefusalKind:
        """Return why a command is refused; it must change nothing and say why in one line."""
        before = repr(self.state)
        with pytest.raises(TransitionRefused, match=r"\A[^\n]+\Z") as refusal:
            transition(self.state, command, self.time.now())
        assert repr(self.state) == before
        return refusal.value.kind

    def plan(self, intent: str | None = None) -> None:
        self.feed(events.EnterPlanning(intent))

    def start(
        self,
        *classes: str,
        titles: tuple[str, ...] = (),
        next_action: str | None = "write the report",
        timebox_secs: int | None = None,
    ) -> None:
        """`start`, with these classes and titles allowed."""
        self._sessions += 1
        self.feed(
            events.StartSession(
                session_id=f"session {self._sessions}",
                next_action=next_action,
                timebox_secs=timebox_secs,
                allowed_window_classes=classes,
                allowed_window_titles=titles,
            )
        )

    def on_task(self, *, window_class: str | None = None, window_title: str | None = None) -> None:
        self.feed(events.AllowContext(window_class, window_title))

    def disallow(self, *, window_class: str | None = None, window_title: str | None = None) -> None:
        self.feed(events.DisallowContext(window_class, window_title))

    def refocus(self) -> None:
        self.feed(events.Refocus())

    def extend(self, secs: int) -> None:
        self.feed(events.ExtendSession(secs))

    def complete(self) -> None:
        self.feed(events.CompleteSession())

    def review(self, outcome: events.Outcome | None = None, note: str | None = None) -> None:
        self.feed(events.CloseReview(outcome, note))

    def focus(self, window_class: str, title: str = "", instance: str = "") -> None:
        self.feed(events.WindowFocused(Window(window_class, title, instance)))

    def focus_nothing(self) -> None:
        self.feed(events.WindowFocused(None))

    def lose_sensor(self) -> None:
        self.feed(events.SensorChanged(SENSOR_LOST))

    def answer(self, on_task: bool | None, reason: str = "") -> None:
        self.feed(
            events.JudgmentReturned(self.under_way.only(AskJudge).request, Verdict(on_task, reason))
        )

    def fail(self, detail: str = "it printed nothing") -> None:
        self.feed(events.JudgmentFailed(self.under_way.only(AskJudge).request, detail))

    def drift_on(self, window_class: str, title: str = "", reason: str = "off task") -> None:
        """Bring a window to the front, stay, and have it judged a drift."""
        self.focus(window_class, title)
        self.wait(self.rules.dwell_secs + self.rules.debounce_secs)
        self.answer(False, reason)

    # --- restarts ---------------------------------------------------------------------------

    def saved(self) -> Saved:
        """Return what a daemon writes that ends now."""
        return saved_from(keep_time(self.state, self.time.now()), self._boot_id)

    def restart(self, saved: Saved | None = None, *, boot_id: str | None = None) -> None:
        """End the daemon, and start another on what it wrote; a boot id says that it is new."""
        saved = saved or self.saved()
        self._boot_id = boot_id or self._boot_id
        now = self.time.now()
        self.state = a_state(self.rules, now=now, saved=saved, boot_id=self._boot_id)
        self.under_way = UnderWay(begin_all(self.state, now))


def allowing(*classes: str, titles: tuple[str, ...] = ()) -> tuple[Allowance, ...]:
    """Return an allowed context."""
    return (
        *(Allowance("class", value) for value in classes),
        *(Allowance("title", value) for value in titles),
    )
