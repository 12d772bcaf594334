"""The built-in advisor with experience: a hint tips doubt and overrules nothing that is clear."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from antidriftd.adapters.advisor.commitment_kind import kinds_by
from antidriftd.adapters.advisor.experienced import ExperiencedCoach, ExperiencedDriftJudge
from antidriftd.adapters.advisor.local.coach import local_coach
from antidriftd.adapters.advisor.local.judge import LocalDriftJudge, local_drift_judge
from antidriftd.adapters.advisor.local.later import LaterCoach, LaterDriftJudge
from antidriftd.adapters.advisor.port import Assessment
from antidriftd.core.learned import MAX_LOG_ODDS, Hint
from antidriftd.core.model import Commitment, Verdict, Window

BUG = Commitment("Fix the crash of the importer", "the regression test passes", 1500)
DRIFT = Window("firefox", "Funny cats compilation - YouTube \u2014 Mozilla Firefox")
AGAINST, FOR = Hint(MAX_LOG_ODDS, 3), Hint(-MAX_LOG_ODDS, 3)


class Known:
    """Says the same of every window and commitment."""

    def __init__(self, hint: Hint | None = None, classes: tuple[str, ...] = ()) -> None:
        self._hint, self._classes = hint, classes

    async def hint(self, commitment: Commitment, window: Window) -> Hint | None:
        return self._hint

    async def usual_classes(self, commitment: Commitment) -> tuple[str, ...]:
        return self._classes


@pytest.fixture(scope="module", name="local")
def local_judge() -> LocalDriftJudge:
    return local_drift_judge()


class Sure:
    """Is as sure as it is told, in logarithms of odds: drift from 1 on, on task down to -1."""

    name = "sure"

    def __init__(self, log_odds: float) -> None:
        self._log_odds = log_odds

    async def weigh(self, commitment: Commitment, window: Window) -> Callable[[float], Assessment]:
        await trio.lowlevel.checkpoint()

        def assess(evidence: float) -> Assessment:
            score = self._log_odds + evidence
            on_task = False if score >= 1 else True if score <= -1 else None
            return Assessment(score, on_task, "its own reason")

        return assess


async def verdict_of(log_odds: float, hint: Hint | None) -> Verdict:
    return await ExperiencedDriftJudge(Sure(log_odds), Known(hint)).judge(BUG, DRIFT)


@pytest.mark.parametrize(("hint", "on_task"), [(AGAINST, False), (FOR, True)])
async def test_a_hint_settles_doubt_and_is_the_reason(hint: Hint, *, on_task: bool) -> None:
    assert await verdict_of(0.0, hint) == Verdict(on_task, hint.reason)


@pytest.mark.parametrize(("log_odds", "hint"), [(2.6, FOR), (-2.6, AGAINST)])
async def test_what_is_clear_stands(log_odds: float, hint: Hint) -> None:
    alone = await verdict_of(log_odds, None)

    assert await verdict_of(log_odds, hint) == Verdict(
        alone.on_task, f"its own reason; but {hint.reason}"
    )


@pytest.mark.parametrize(("log_odds", "hint"), [(1.1, FOR), (-1.1, AGAINST)])
async def test_what_is_hardly_clear_comes_into_doubt(log_odds: float, hint: Hint) -> None:
    assert await verdict_of(log_odds, hint) == Verdict(None, f"its own reason; but {hint.reason}")


async def test_even_a_hint_that_is_too_strong_only_brings_into_doubt() -> None:
    assert (await verdict_of(2.0, Hint(-9.0, 3))).on_task is None


async def test_what_agrees_is_told_beside_the_reason() -> None:
    verdict = await verdict_of(2.0, AGAINST)

    assert verdict == Verdict(
        False, "its own reason; you called it off task in 3 sessions like this"
    )


@settings(deadline=None)  # the first one reads the data
@given(
    st.text(),
    st.sampled_from(["code", "firefox", "steam", "slack", ""]),
    st.text() | st.sampled_from(["Funny cats - YouTube", "importer", "r/aww", "Inbox"]),
    st.floats(-MAX_LOG_ODDS, MAX_LOG_ODDS).filter(bool),
)
async def test_no_hint_turns_a_verdict_into_its_contrary(
    action: str, window_class: str, title: str, log_odds: float
) -> None:
    local = _SHARED
    commitment, window = Commitment(action, "", 1500), Window(window_class, title)
    alone = local.assess(commitment, window).on_task
    hinted = ExperiencedDriftJudge(_LATER, Known(Hint(log_odds, 2)))
    verdict = (await hinted.judge(commitment, window)).on_task

    assert {alone, verdict} != {True, False}
    if alone is None and verdict is not None:
        assert verdict == (log_odds < 0)


_SHARED, _LATER = local_drift_judge(), LaterDriftJudge(Path("/nonexistent"))


@settings(deadline=None)  # the first one reads the data
@given(st.text(), st.text(), st.text())
async def test_without_a_hint_it_answers_exactly_as_before(
    action: str, window_class: str, title: str
) -> None:
    commitment, window = Commitment(action, title[::-1], 1500), Window(window_class, title)

    verdict = await ExperiencedDriftJudge(_LATER, Known()).judge(commitment, window)
    assert verdict == await _SHARED.judge(commitment, window)


def test_it_is_the_local_one_and_sends_nothing() -> None:
    judge = ExperiencedDriftJudge(_LATER, Known(FOR))

    assert (judge.name, judge.free, judge.text_for(BUG, DRIFT)) == ("local", True, "")


async def test_the_coach_proposes_what_was_used_for_such_things_before(
    local: LocalDriftJudge,
) -> None:
    coach = ExperiencedCoach(LaterCoach(_LATER), Known(classes=("code", "xterm")))
    plain = await local_coach(local.topics).coach("fix the crash 30m", "")
    proposal = await coach.coach("fix the crash 30m", "")

    assert coach.name == "local"
    assert proposal.allowed_window_classes == ("code", "xterm")
    assert (proposal.next_action, proposal.timebox_secs) == (plain.next_action, 1800)


async def test_without_a_history_the_coach_proposes_no_programs(
    local: LocalDriftJudge,
) -> None:
    coach = local_coach(local.topics)
    proposal = await ExperiencedCoach(LaterCoach(_LATER), Known()).coach("fix the crash", "")

    assert proposal == await coach.coach("fix the crash", "")


def test_commitments_are_alike_when_they_are_about_the_same(local: LocalDriftJudge) -> None:
    kind_of = kinds_by(local.topics)
    april = Commitment("Reconcile the April bank statements", "all lines matched", 1500)
    may = Commitment("reconcile bank statements of May", "", 900)
    dinner = Commitment("Cook the recipe for dinner", "", 900)

    assert kind_of(april) == kind_of(may)
    assert kind_of(april) != kind_of(dinner)


@pytest.mark.parametrize("topics", [{}, {"data": 0.5, "community": 0.5}])
def test_what_is_surely_about_nothing_known_is_like_the_same_words_only(
    topics: dict[str, float],
) -> None:
    kind_of = kinds_by(lambda commitment: topics)

    assert kind_of(Commitment("Zorb  the quux", "", 1)) == kind_of(
        Commitment("zorb the QUUX", "x", 9)
    )
    assert kind_of(Commitment("zorb", "", 1)) != kind_of(Commitment("quux", "", 1))
