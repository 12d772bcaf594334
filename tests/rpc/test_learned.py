"""`learned` and `unlearn`: what is told, what is refused, and that a refusal forgets nothing."""

from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from antidriftd.core.learned import Label, Past
from antidriftd.core.model import Commitment
from tests.clients import Refused
from tests.rpc.served import Served, open_served

NOON = 1_798_632_000.0
HASH = "0123456789abcdef" * 2


def label(number: int, window_class: str = "steam", *, page: str = "", action: str = "") -> Label:
    return Label(
        session_id=f"s{number}",
        entry=number,
        at=NOON + number,
        on_task=False,
        window_class=window_class,
        page=page,
        title="",
        commitment=Commitment(action or "write", "", 1500),
    )


def know(served: Served, *labels: Label) -> None:
    served.labels.past = Past(labels, as_of=NOON)


async def classes(served: Served) -> list[str]:
    return [each["class"] for each in (await served.request("learned"))["lessons"]]


async def test_each_lesson_is_told_with_where_it_comes_from(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        know(served, label(1), label(2), label(3, "Firefox", page=HASH), label(4, "x", page="News"))
        told = await served.request("learned")

    steam, browser, page = told["lessons"]
    assert steam == {
        "number": 1,
        "kind": "write",
        "class": "steam",
        "ontask": 0,
        "offtask": 2,
        "sessions": 2,
        "since": "2026-12-30T12:00:01Z",
        "hint": "offtask",
    }
    assert (browser["is_page"], browser.get("page")) == (True, None)
    assert page["page"] == "News"
    assert HASH not in str(told)


@pytest.mark.parametrize(
    ("params", "left"),
    [
        ({"numbers": [1]}, ["gimp", "mpv"]),
        ({"window_classes": [" GIMP "]}, ["steam", "mpv"]),
        ({"numbers": [3], "window_classes": ["steam"]}, ["gimp"]),
        ({"everything": True}, []),
    ],
)
async def test_exactly_what_is_named_is_forgotten_and_told(
    autojump_clock: MockClock, tmp_path: Path, params: dict[str, Any], left: list[str]
) -> None:
    async with open_served(tmp_path) as served:
        know(served, label(1), label(2, "gimp"), label(3, "mpv"))
        gone = await served.request("unlearn", **params)

        assert await classes(served) == left
        assert {each["class"] for each in gone["lessons"]} == {"steam", "gimp", "mpv"} - set(left)


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ({}, "invalid_params"),
        ({"numbers": [1, 4]}, "invalid_value"),
        ({"numbers": [0]}, "invalid_value"),
        ({"numbers": [1], "window_classes": ["unheard"]}, "invalid_value"),
        ({"numbers": ["1"]}, "invalid_params"),
    ],
)
async def test_if_one_thing_that_is_named_is_not_there_nothing_is_forgotten(
    autojump_clock: MockClock, tmp_path: Path, params: dict[str, Any], kind: str
) -> None:
    async with open_served(tmp_path) as served:
        know(served, label(1), label(2, "gimp"))
        with pytest.raises(Refused) as refusal:
            await served.request("unlearn", **params)

        assert refusal.value.kind == kind
        assert await classes(served) == ["steam", "gimp"]


async def test_a_disk_that_refuses_is_told(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        know(served, label(1))
        served.labels.trouble = "the disk is full"
        with pytest.raises(Refused, match="nothing is forgotten: the disk is full") as refusal:
            await served.request("unlearn", everything=True)

        assert refusal.value.kind == "unavailable"
        assert await classes(served) == ["steam"]


async def test_a_reply_stays_short_whatever_there_is_to_tell(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    long = "\x01" * 400
    async with open_served(tmp_path) as served:
        know(served, *(label(n, f"{n}{long}", page=long, action=long) for n in range(1, 701)))
        told = await served.request("learned")

        assert (len(told["lessons"]), told["more"]) == (500, 200)
        assert told["lessons"][0]["number"] == 201


async def test_the_past_is_read_in_advance_only_if_an_advisor_asks_for_it(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, is_past_asked=False) as served:
        assert served.labels.reads == 0
        know(served, label(1))
        assert await classes(served) == ["steam"]
