"""Requests: each gets its answer, whatever goes wrong, and the judgments can be explained."""

import logging
from typing import NoReturn

import pytest
import trio
from trio.testing import MockClock

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.knowledge.port import KnowledgeError
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.core import events
from antidriftd.core.drift.page_key import Key, key_of
from antidriftd.core.effects import (
    AskCoach,
    AskJudge,
    AskNudger,
    FetchTaskList,
    LoadProfile,
    Request,
)
from antidriftd.core.model import Commitment, Digest, Profile, Verdict, Window
from antidriftd.runtime.requests import Judgment, Requests, Sources
from tests.builders import RULES
from tests.fakes.judge import FakeDriftJudge
from tests.fakes.nudger import FakeNudger
from tests.fakes.planning import OUTLINE, TASKS, FakeCoach, FakeKnowledgeSource, FakeTaskSource

WRITING = Commitment("write", "two pages", 1500)
GAME = Window("supertux", "SuperTux")
PAGE = Window("firefox", "cats — Mozilla Firefox")
DIGEST = Digest(600.0, 900.0, 500.0, 100.0, 3, 1)

REQUESTS: dict[str, Request] = {
    "judge": AskJudge(1, WRITING, GAME),
    "coach": AskCoach(2, "the report", "who I am"),
    "nudger": AskNudger(3, WRITING, DIGEST),
    "knowledge": LoadProfile(4, "/profile.md"),
    "tasks": FetchTaskList(5),
}
GOOD: dict[str, events.Answer] = {
    "judge": events.JudgmentReturned(1, Verdict(on_task=False, reason="off task")),
    "coach": events.CoachReturned(2, OUTLINE),
    "nudger": events.NudgeReturned(3, "keep going"),
    "knowledge": events.ProfileLoaded(4, Profile("who I am", "/profile.md")),
    "tasks": events.TasksFetched(5, TASKS),
}


def failure(source: str, detail: str) -> events.Answer:
    failures: dict[str, events.Answer] = {
        "judge": events.JudgmentFailed(1, detail),
        "coach": events.CoachFailed(2, detail),
        "nudger": events.NudgeFailed(3, detail),
        "knowledge": events.ProfileFailed(4, "/profile.md"),
        "tasks": events.TasksFailed(5, detail),
    }
    return failures[source]


class Fakes:
    """Everybody whom the daemon asks."""

    def __init__(self) -> None:
        self.judge = FakeDriftJudge()
        self.coach = FakeCoach()
        self.nudger = FakeNudger()
        self.knowledge = FakeKnowledgeSource("who I am")
        self.tasks = FakeTaskSource()
        self.sources = Sources(
            judge=self.judge,
            coach=self.coach,
            nudger=self.nudger,
            knowledge=self.knowledge,
            tasks=self.tasks,
        )

    def break_all(self, error: Exception) -> None:
        """Have all of them raise."""

        def fail(*_: object) -> NoReturn:
            raise error

        for fake in (self.judge, self.coach, self.nudger, self.knowledge, self.tasks):
            fake.answer = fail


@pytest.mark.parametrize("source", REQUESTS)
async def test_each_request_is_put_to_the_one_it_is_meant_for(source: str) -> None:
    fakes = Fakes()

    assert await Requests(fakes.sources).answer(REQUESTS[source], RULES) == GOOD[source]


async def test_each_is_told_what_it_needs() -> None:
    fakes = Fakes()
    requests = Requests(fakes.sources)
    for request in REQUESTS.values():
        await requests.answer(request, RULES)

    assert fakes.judge.asked == [GAME]
    assert fakes.coach.asked == [("the report", "who I am")]
    assert fakes.nudger.asked == [DIGEST]
    assert fakes.knowledge.loaded == ["/profile.md"]
    assert fakes.tasks.fetches == 1


@pytest.mark.parametrize("source", REQUESTS)
async def test_a_known_failure_is_told_and_not_logged(
    source: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A program's own words may quote what it was told."""
    caplog.set_level(logging.DEBUG)
    errors: dict[str, Exception] = {
        "knowledge": KnowledgeError("it can't be read", "/profile.md"),
        "tasks": TaskSourceError("it exited with code 2"),
    }
    error = errors.get(source, AdvisorError("it printed: who I am"))
    fakes = Fakes()
    fakes.break_all(error)

    answer = await Requests(fakes.sources).answer(REQUESTS[source], RULES)

    assert answer == failure(source, str(error))
    assert caplog.records == []


@pytest.mark.parametrize("source", REQUESTS)
@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (RuntimeError("a bug"), "a bug"),
        (ValueError(), "ValueError"),
        (KeyError("x"), "'x'"),
        (trio.TooSlowError(), "TooSlowError"),
        (RecursionError("too deep"), "too deep"),
        (MemoryError(), "MemoryError"),
    ],
)
async def test_any_other_failure_is_told_and_logged_once(
    source: str, error: Exception, detail: str, caplog: pytest.LogCaptureFixture
) -> None:
    fakes = Fakes()
    fakes.break_all(error)

    answer = await Requests(fakes.sources).answer(REQUESTS[source], RULES)

    assert answer == failure(source, detail)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert caplog.records[0].exc_info is not None
    assert "who I am" not in caplog.text


@pytest.mark.parametrize("source", REQUESTS)
async def test_where_there_is_nobody_the_request_fails(source: str) -> None:
    answer = await Requests(Sources()).answer(REQUESTS[source], RULES)

    assert answer == failure(source, "there is nobody to ask")


async def test_a_profile_that_cannot_be_read_tells_where_it_was_looked_for() -> None:
    fakes = Fakes()
    fakes.break_all(KnowledgeError("no", "/home/me/.antidrift/knowledge.md"))

    answer = await Requests(fakes.sources).answer(LoadProfile(4, ""), RULES)

    assert answer == events.ProfileFailed(4, "/home/me/.antidrift/knowledge.md")


@pytest.mark.parametrize("source", REQUESTS)
async def test_one_that_is_cancelled_raises_no_failure(
    autojump_clock: MockClock, source: str
) -> None:
    fakes = Fakes()
    for fake in (fakes.judge, fakes.coach, fakes.nudger, fakes.knowledge, fakes.tasks):
        fake.think()
    answers = []
    with trio.move_on_after(5):
        answers.append(await Requests(fakes.sources).answer(REQUESTS[source], RULES))

    assert answers == []


class TestJudgments:
    async def test_one_is_remembered_with_what_was_sent_and_how_long_it_took(
        self, autojump_clock: MockClock
    ) -> None:
        fakes = Fakes()
        fakes.judge.think()
        requests = Requests(fakes.sources)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(requests.answer, AskJudge(1, WRITING, PAGE), RULES)
            await trio.sleep(2.5)
            fakes.judge.conclude()

        judgment = requests.judgment(key_of(PAGE, RULES))
        assert judgment is not None
        assert judgment.sent == "write: firefox, cats — Mozilla Firefox"
        assert judgment.took_secs == pytest.approx(2.5)
        assert (judgment.backend, judgment.error) == ("fake", "")
        assert requests.judgment(Key("firefox", "dogs")) is None

    async def test_one_that_failed_is_remembered_with_its_error(
        self, autojump_clock: MockClock
    ) -> None:
        for error in (AdvisorError("no answer in 30 s"), RuntimeError("no answer in 30 s")):
            fakes = Fakes()
            fakes.break_all(error)
            requests = Requests(fakes.sources)
            await requests.answer(AskJudge(1, WRITING, GAME), RULES)

            assert requests.judgment(key_of(GAME, RULES)) == Judgment(
                "fake", "write: supertux, SuperTux", 0.0, "no answer in 30 s"
            )

    async def test_the_last_on_a_key_counts(self, autojump_clock: MockClock) -> None:
        fakes = Fakes()
        requests = Requests(fakes.sources)
        for title in ("level 1", "level 2"):
            await requests.answer(AskJudge(1, WRITING, Window("supertux", title)), RULES)

        judgment = requests.judgment(Key("supertux", None))
        assert judgment is not None
        assert judgment.sent == "write: supertux, level 2"

    async def test_one_that_was_voided_replaces_none(self, autojump_clock: MockClock) -> None:
        fakes = Fakes()
        requests = Requests(fakes.sources)
        await requests.answer(AskJudge(1, WRITING, Window("supertux", "level 1")), RULES)
        before = requests.judgment(Key("supertux", None))
        fakes.judge.think()
        with trio.move_on_after(5):
            await requests.answer(AskJudge(2, WRITING, Window("supertux", "level 2")), RULES)

        assert fakes.judge.voided == 1
        assert requests.judgment(Key("supertux", None)) == before

    async def test_no_more_than_a_few_hundred_are_remembered(self) -> None:
        fakes = Fakes()
        requests = Requests(fakes.sources)
        for number in range(1000):
            await requests.answer(AskJudge(1, WRITING, Window(f"class {number}", "")), RULES)
        known = [
            number for number in range(1000) if requests.judgment(Key(f"class {number}", None))
        ]

        assert known == list(range(1000 - len(known), 1000))
        assert 200 <= len(known) <= 300

    async def test_one_that_is_judged_again_is_not_the_first_to_go(self) -> None:
        fakes = Fakes()
        requests = Requests(fakes.sources)
        for number in range(255):
            await requests.answer(AskJudge(1, WRITING, Window(f"class {number}", "")), RULES)
        for name in ("class 0", "a", "b"):
            await requests.answer(AskJudge(1, WRITING, Window(name, "")), RULES)

        assert requests.judgment(Key("class 0", None)) is not None
        assert requests.judgment(Key("class 1", None)) is None


class TestPreview:
    def test_tells_what_would_be_sent_and_asks_nobody(self) -> None:
        fakes = Fakes()

        assert Requests(fakes.sources).preview(WRITING, GAME) == Judgment(
            "fake", "write: supertux, SuperTux", 0.0
        )
        assert fakes.judge.asked == []

    def test_without_a_judge_tells_that_there_is_none(self) -> None:
        assert Requests(Sources()).preview(WRITING, GAME) == Judgment("none", "", 0.0)
