"""What holds whatever happens, in any order and at any time."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from antidriftd.core import events
from antidriftd.core.drift.page_key import Key
from antidriftd.core.effects import AskCoach, AskNudger, FetchTaskList, LoadProfile, Request
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.evidence import length_secs
from antidriftd.core.machine import next_deadline, transition
from antidriftd.core.model import SensorHealth, Window
from antidriftd.core.planning_state import Grounding, TaskList
from antidriftd.core.restore import Saved
from antidriftd.core.rules import QuietHours
from antidriftd.core.state import Active, Idle, Planning, Review
from antidriftd.core.timekeeping import keep_time
from tests.builders import FREE_JUDGE, SENSOR_LOST, SENSOR_OK, WITH_HELP, Machine
from tests.core.any_event import (
    ANSWERS,
    CANARY,
    COMMANDS,
    DESKTOP_NEWS,
    LONG_SECS,
    SECS,
    WINDOWS,
)
from tests.core.recounting import check_what_was_written, recount, recounted

FEW = settings(max_examples=60, stateful_step_count=50, deadline=None)


class AnyHistory(RuleBasedStateMachine):
    """Feeds a machine anything, and counts along by simpler means."""

    rules_in_force = replace(
        WITH_HELP,
        judgments_per_hour=4,
        has_nudger=True,
        nudge_every_secs=60.0,
        notifies=True,
        quiet_hours=QuietHours(0, 3600),
        hooks=frozenset({"on_start", "on_drift"}),
    )
    per_hour = 4

    def __init__(self) -> None:
        super().__init__()
        self.machine = Machine(self.rules_in_force)
        self.machine.start("gimp", timebox_secs=3600)
        self.condemned = set[Key]()
        self.counted = self.sums()
        self.counted_to = self.machine.time.boot

    def sums(self) -> tuple[str, bool, list[float]]:
        """Return the session, whether it is being counted, and its four sums."""
        phase = keep_time(self.machine.state, self.machine.time.now()).phase
        if not isinstance(phase, Active | Review):
            return "", False, []
        evidence = phase.session.evidence
        four = [
            evidence.ontask_secs,
            evidence.drift_secs,
            evidence.unjudged_secs,
            evidence.away_secs,
        ]
        assert sum(evidence.by_class.values()) == pytest.approx(length_secs(evidence))
        runs = isinstance(phase, Active) and not phase.stale
        return phase.session.session_id, runs, four

    def teardown(self) -> None:
        check_what_was_written(self.machine)

    @rule(command=COMMANDS)
    def give(self, command: events.Command) -> None:
        before = self.machine.state
        try:
            self.machine.feed(command)
        except TransitionRefused:
            assert self.machine.state is before
        if isinstance(self.machine.state.phase, Active):
            self.condemned |= set(self.machine.session.condemned)

    @rule(window=WINDOWS)
    def focus(self, window: Window | None) -> None:
        self.machine.feed(events.WindowFocused(window))

    @rule(health=st.sampled_from([SENSOR_OK, SENSOR_LOST]))
    def hear_from_the_sensor(self, health: SensorHealth) -> None:
        self.machine.feed(events.SensorChanged(health))

    @rule(on_task=st.sampled_from([True, False, False, None]))
    def answer(self, on_task: bool | None) -> None:
        if isinstance(self.machine.state.phase, Active) and self.machine.question:
            if on_task is False:
                self.condemned.add(self.machine.question.key)
            self.machine.answer(on_task)

    @rule()
    def fail(self) -> None:
        if isinstance(self.machine.state.phase, Active) and self.machine.question:
            self.machine.fail()

    @rule(kind=st.sampled_from([AskCoach, AskNudger, LoadProfile, FetchTaskList]), data=st.data())
    def answer_another_request(self, kind: type[Request], data: st.DataObject) -> None:
        for request in self.machine.under_way.all_of(kind):
            answer = data.draw(ANSWERS)(request.request)
            if self.machine.under_way.awaits(answer):
                self.machine.feed(answer)

    @rule(answer=ANSWERS, request=st.integers(0, 40) | st.just(10**9))
    def answer_what_nobody_asked(
        self, answer: Callable[[int], events.Answer], request: int
    ) -> None:
        """One that is late, or meant for somebody else, changes no more than time does."""
        event, state, now = answer(request), self.machine.state, self.machine.time.now()
        if not self.machine.under_way.awaits(event):
            expected = transition(state, events.TimeElapsed(), now)
            assert transition(state, event, now) == expected
            self.machine.feed(event)

    @rule(secs=SECS)
    def wait(self, secs: float) -> None:
        self.machine.wait(secs)

    @rule(secs=LONG_SECS)
    def suspend(self, secs: float) -> None:
        self.machine.suspend(secs)

    @rule(secs=LONG_SECS)
    def freeze(self, secs: float) -> None:
        self.machine.time.advance(secs)
        self.machine.feed(events.TimeElapsed())

    @rule(secs=st.sampled_from([-1e8, -3600.0, 0.5, 3600.0]))
    def step_the_wall_clock(self, secs: float) -> None:
        self.machine.time.step_wall_clock(secs)

    @rule(news=DESKTOP_NEWS)
    def hear_from_the_desktop(self, news: events.Observation) -> None:
        self.machine.feed(news)

    @rule(works=st.booleans())
    def change_the_history_disk(self, works: bool) -> None:
        self.machine.history_trouble = "" if works else "no space"

    @rule(disk=st.sampled_from(["good", "full", "slow"]))
    def change_the_disk(self, disk: str) -> None:
        self.machine.disk = "good" if disk == "good" else "full" if disk == "full" else "slow"

    @rule(off_secs=LONG_SECS)
    def restart(self, off_secs: float) -> None:
        saved = self.machine.saved()
        self.machine.time.advance(off_secs)
        self.start_on(saved)

    @rule(off_secs=LONG_SECS, boot_id=st.uuids())
    def reboot(self, off_secs: float, boot_id: object) -> None:
        self.machine.wait(0.01)
        self.check_the_sums()
        saved = self.machine.saved()
        counted_secs = off_secs + self.small_steps()
        self.machine.time.reboot(off_secs)
        self.counted_to = self.machine.time.boot - counted_secs
        self.start_on(saved, str(boot_id))

    def small_steps(self) -> float:
        """Return how far the wall clock was set without notice: after a reboot it is time off."""
        now = self.machine.time.now()
        return now.utc - now.boot - keep_time(self.machine.state, now).utc_offset

    def start_on(self, saved: Saved, boot_id: str | None = None) -> None:
        before = self.machine.state.revision
        self.machine.asked_at = []
        self.machine.restart(saved, boot_id=boot_id)
        assert self.machine.state.revision > before

    @invariant()
    def check_the_sums(self) -> None:
        """The sum grows by the time that passed; what drift took is never taken back."""
        now = self.machine.time.boot
        session, was_running, before = self.counted
        current, runs, after = self.sums()
        if current and session == current:
            grown = sum(after) - sum(before)
            assert after[1] >= before[1] - 1e-6
            assert grown <= now - self.counted_to + 1e-3
            if was_running and runs:
                assert grown == pytest.approx(now - self.counted_to, abs=1e-3)
        self.counted, self.counted_to = (current, runs, after), now

    @invariant()
    def every_number_is_counted_again_from_the_intervals(self) -> None:
        assert recount(self.machine) == recounted(self.machine)

    @invariant()
    def drift_is_never_made_up(self) -> None:
        if isinstance(self.machine.state.phase, Active):
            drift = self.machine.drift
            assert drift.status != "drifting" or drift.key in self.condemned
            assert drift.open is None or drift.open.key in self.condemned
            assert (drift.status == "pending") <= (drift.question is not None)

    @invariant()
    def what_helps_to_plan_is_there_in_planning_only(self) -> None:
        state = self.machine.state
        if not isinstance(state.phase, Planning):
            assert state.grounding == Grounding()
            assert state.tasks == TaskList() or isinstance(state.phase, Idle)
        assert CANARY not in repr(state)

    @invariant()
    def no_nudge_is_shown_beside_a_drift_nor_in_a_stale_session(self) -> None:
        if isinstance(self.machine.state.phase, Active) and self.machine.active.nudge.text:
            assert not self.machine.active.stale
            assert self.machine.status() != "drifting"
            assert self.machine.drift.open is None

    @invariant()
    def the_hourly_cap_holds(self) -> None:
        asked_at = self.machine.asked_at
        for earlier, later in zip(asked_at, asked_at[self.per_hour :], strict=False):
            assert later - earlier > 3599

    @invariant()
    def a_deadline_lies_ahead(self) -> None:
        delay = next_deadline(self.machine.state, self.machine.time.now())
        assert delay is None or delay >= 0


class AnyHistoryWithAFreeJudge(AnyHistory):
    """The same with the judge that comes with Antidrift, and neither dwell nor cap."""

    rules_in_force = replace(FREE_JUDGE, dwell_secs=0.0, has_coach=True, has_knowledge=True)
    per_hour = 10**9


TestAnyHistory = AnyHistory.TestCase
TestAnyHistoryWithAFreeJudge = AnyHistoryWithAFreeJudge.TestCase
TestAnyHistory.settings = FEW
TestAnyHistoryWithAFreeJudge.settings = FEW
