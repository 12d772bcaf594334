"""The verb `learned`: the list, and what is asked to be forgotten."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from protocol.errors import RpcError
from protocol.views import Learned, Lesson
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon

HOSTILE = "\x1b[2J\u202eevil" + "日" * 200


def lesson(number: int = 1, window_class: str = "steam", **changes: Any) -> Lesson:
    fields: dict[str, Any] = {
        "number": number,
        "kind": "writing",
        "window_class": window_class,
        "ontask": 0,
        "offtask": 2,
        "sessions": 2,
        "since": datetime(2026, 11, 30, 12, tzinfo=UTC),
        "hint": "offtask",
    }
    return Lesson(**(fields | changes))


def test_the_list_has_a_line_for_each_lesson(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    page = lesson(2, "firefox", is_page=True, ontask=1, offtask=0, sessions=1, hint="")
    kept = lesson(3, "firefox", is_page=True, page="the news")
    daemon.answers["learned"] = Learned(lessons=(lesson(), page, kept))
    code, out, err = antidrift("learned")

    assert (code, err) == (0, "")
    heading, *rows = (" ".join(line.split()) for line in out.splitlines())
    assert heading == "on task off task sessions since hint window when you"
    assert rows == [
        "1 0 2 2 2026-11-30 off task steam writing",
        "2 1 0 1 2026-11-30 - firefox: a page writing",
        "3 0 2 2 2026-11-30 off task firefox: the news writing",
    ]


def test_nothing_learned_says_what_teaches(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["learned"] = Learned(lessons=())

    assert "antidrift ontask, offtask and refocus teach" in antidrift("learned")[1]


def test_text_from_outside_does_no_harm(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    evil = lesson(1, HOSTILE, kind=HOSTILE, is_page=True, page=HOSTILE)
    daemon.answers |= {"learned": Learned(lessons=(evil,)), "unlearn": Learned(lessons=(evil,))}
    for args in ((), ("--forget", "1")):
        out = antidrift("learned", *args)[1]
        assert all(line.isprintable() and len(line) < 400 for line in out.splitlines())


def test_what_is_left_out_is_counted(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["learned"] = Learned(lessons=(lesson(),), more=3)

    assert antidrift("learned")[1].endswith("and 3 older ones\n")


@pytest.mark.parametrize(
    ("args", "params"),
    [
        (("--forget", "steam"), {"window_classes": ["steam"]}),
        (("--forget", "3"), {"numbers": [3]}),
        (("--forget", "--all"), {"everything": True}),
        (
            ("--forget", "3", "--forget", "Gimp", "--forget", "5"),
            {"numbers": [3, 5], "window_classes": ["Gimp"]},
        ),
    ],
)
def test_what_is_named_is_what_the_daemon_is_asked_to_forget(
    daemon: FakeDaemon, antidrift: Antidrift, args: tuple[str, ...], params: dict[str, Any]
) -> None:
    daemon.answers["unlearn"] = Learned(lessons=(lesson(),))
    code, out, err = antidrift("learned", *args)

    assert (code, out, err) == (0, "forgotten: steam, when you: writing\n", "")
    assert daemon.params("unlearn") == params


def test_what_the_daemon_refuses_is_told(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["unlearn"] = RpcError("invalid_value", "nothing was learned as mpv", "idle")
    code, out, err = antidrift("learned", "--forget", "mpv")

    assert (code, out) == (1, "")
    assert "nothing was learned as mpv" in err


def test_as_json_it_is_what_the_daemon_said(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["learned"] = Learned(lessons=(lesson(),))
    (told,) = json.loads(antidrift("learned", "--json")[1])["lessons"]

    assert (told["class"], told["offtask"], told["since"]) == ("steam", 2, "2026-11-30T12:00:00Z")
