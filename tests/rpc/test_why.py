"""`why`: how the last verdict came about, and what would be sent."""

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.core.model import Verdict
from tests.builders import NO_JUDGE, RULES
from tests.clients import Client
from tests.rpc.phases import refused
from tests.rpc.served import Served, open_served

GAME = {"class": "supertux", "title": "level 1"}
SENT = "write: supertux, level 1"


async def start(client: Client, *classes: str) -> None:
    await client.request("start", next_action="write", allowed_window_classes=classes)


async def meet(served: Served, window_class: str, title: str, secs: float = 13) -> None:
    """Bring a window to the front and leave it there until it has been judged."""
    served.sensor.focus(window_class, title)
    await trio.sleep(secs)
    await wait_all_tasks_blocked()


async def why(client: Client) -> dict[str, Any]:
    """Return what `why` tells, without the times."""
    told = await client.request("why")
    for name in ("at", "took_secs"):
        told.pop(name, None)
    return told


async def test_at_first_nothing_has_been_judged(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client)

        assert (await client.request("why")) == {
            "rule": "none",
            "reason": "nothing has been judged in this session yet",
        }


@pytest.mark.parametrize(
    ("params", "allowance"),
    [
        ({"allowed_window_classes": ["gimp", "SuperTux"]}, "class SuperTux"),
        ({"allowed_window_titles": ["world", "level"]}, "title level"),
    ],
)
async def test_an_allowed_window_is_explained_by_what_allows_it(
    autojump_clock: MockClock, tmp_path: Path, params: dict[str, Any], allowance: str
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await client.request("start", next_action="write", **params)
        served.sensor.focus("supertux", "level 1")

        assert await why(client) == {
            "rule": "allowed",
            "subject": GAME,
            "on_task": True,
            "allowance": allowance,
        }


async def test_an_allowed_page_is_explained_by_its_title(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client)
        await meet(served, "firefox", "(2) Cats — Mozilla Firefox")
        await client.request("ontask")

        assert (await why(client))["allowance"] == "title =cats"


async def test_a_verdict_is_explained_by_who_gave_it_and_what_was_sent(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client)
        served.judge.think()
        await meet(served, "supertux", "level 1")
        served.judge.conclude()
        await wait_all_tasks_blocked()
        judged_at = (await client.request("state"))["drift"]["since"]
        told = await client.request("why")

        assert told.pop("took_secs") == pytest.approx(11)
        assert told == {
            "rule": "judge",
            "subject": GAME,
            "on_task": False,
            "reason": "off task",
            "at": judged_at,
            "backend": "fake",
            "sent": SENT,
        }


async def test_a_remembered_verdict_is_explained_by_the_judgment_behind_it(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client, "gimp")
        await meet(served, "supertux", "level 1")
        await meet(served, "gimp", "a.png")
        await meet(served, "supertux", "level 2")

        assert served.judge.asked[1:] == []
        assert await why(client) == {
            "rule": "cache",
            "subject": {"class": "supertux", "title": "level 2"},
            "on_task": False,
            "reason": "off task",
            "backend": "fake",
            "sent": SENT,
        }


@pytest.mark.parametrize("fails", [False, True])
async def test_a_judge_without_a_verdict_is_explained_too(
    autojump_clock: MockClock, tmp_path: Path, fails: bool
) -> None:
    def fail() -> Verdict:
        raise AdvisorError("it printed nothing")

    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        served.judge.answer = fail if fails else lambda: Verdict(None, "who knows")
        await start(client)
        await meet(served, "supertux", "level 1")
        said = {"error": "it printed nothing"} if fails else {"reason": "who knows"}

        assert await why(client) == {
            "rule": "judge",
            "subject": GAME,
            "backend": "fake",
            "sent": SENT,
            **said,
        }


async def test_it_changes_nothing(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client)
        await meet(served, "supertux", "level 1")
        before = await client.request("state")
        await client.request("why")
        await client.request("why", preview=True)

        assert (await client.request("state"))["revision"] == before["revision"]
        assert len(served.judge.asked) == 1


async def test_a_preview_tells_what_would_be_sent_and_sends_nothing(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client, "code")
        served.sensor.focus("supertux", "level 1")

        assert await client.request("why", preview=True) == {
            "rule": "preview",
            "subject": GAME,
            "backend": "fake",
            "sent": SENT,
        }
        assert served.judge.asked == []


@pytest.mark.parametrize(
    ("window_class", "reason"),
    [("code", "it is allowed, so nobody is asked"), ("rofi", "it says nothing about what you are")],
)
async def test_a_preview_of_what_is_never_judged_sends_nothing(
    autojump_clock: MockClock, tmp_path: Path, window_class: str, reason: str
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client, "code")
        served.sensor.focus(window_class, "anything")
        told = await client.request("why", preview=True)

        assert told["reason"].startswith(reason)
        assert "sent" not in told


async def test_a_preview_needs_a_session_and_a_window(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=NO_JUDGE) as served, served.connect() as client:
        served.sensor.focus("supertux", "level 1")
        assert (await refused(client, "why", preview=True)).kind == "not_active"
        await start(client)
        assert (await client.request("why", preview=True))["rule"] == "preview"
        served.sensor.focus_nothing()
        await trio.sleep(1)

        assert (await refused(client, "why", preview=True)).kind == "invalid_value"


async def test_what_the_person_called_off_task_is_explained_by_the_person(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client, "supertux")
        await meet(served, "supertux", "level 1")
        told = await client.request("offtask")
        assert told["commitment"]["off_task"] == [{"class": "supertux", "title": ""}]
        await trio.sleep(3)

        assert await why(client) == {
            "rule": "condemned",
            "subject": GAME,
            "on_task": False,
            "reason": "you said that this is off task",
        }
        preview = await client.request("why", preview=True)
        assert preview["reason"] == "you said that it is off task, so nobody is asked"
        assert "sent" not in preview


async def test_a_page_that_was_called_off_task_is_named_and_taken_back_by_its_name(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await start(client, "code")
        await meet(served, "firefox", "Funny Cats \u2014 Mozilla Firefox")
        told = await client.request("offtask")
        assert told["commitment"]["off_task"] == [{"class": "firefox", "title": "funny cats"}]

        told = await client.request("ontask", window_title="=funny cats")
        assert "off_task" not in told["commitment"]
