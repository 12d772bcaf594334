"""The verb `why`: which rule spoke, who was asked, and exactly what was sent."""

import json

import pytest
from msgspec.structs import replace

from protocol.views import Why
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import NOON, VIDEO

PROMPT = 'Judge this.\n\n  {"title": "Funny cats"}\n'
JUDGED = Why(
    rule="judge",
    subject=VIDEO,
    on_task=False,
    reason="a video site",
    at=NOON,
    backend="claude",
    took_secs=2.14,
    sent=PROMPT,
)
LOCAL = replace(JUDGED, backend="local", took_secs=0.0004, sent="")
NOTHING = "nothing was sent"


def explained(daemon: FakeDaemon, antidrift: Antidrift, result: Why) -> list[str]:
    daemon.answers["why"] = result
    code, out, err = antidrift("why")
    assert (code, err) == (0, "")
    return out.splitlines()


def test_a_judgment_is_explained_down_to_the_text_that_was_sent(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    assert explained(daemon, antidrift, JUDGED) == [
        "window: firefox: Funny cats - YouTube",
        f"verdict: drifting (a video site), at {NOON.astimezone():%H:%M}",
        "because: the judge `claude` gave it, after 2.1 s",
        "sent to `claude`:",
        "-----begin of what was sent-----",
        "Judge this.",
        "",
        '  {"title": "Funny cats"}',
        "-----end of what was sent-----",
    ]
    assert daemon.params("why") == {}


@pytest.mark.parametrize(
    ("result", "because", "end"),
    [
        (
            Why(rule="condemned", subject=VIDEO, on_task=False, reason="you said so"),
            "you answered `antidrift offtask` about it",
            NOTHING,
        ),
        (
            Why(rule="allowed", subject=VIDEO, on_task=True, allowance="class firefox"),
            "you allow class firefox",
            NOTHING,
        ),
        (
            Why(rule="allowed", subject=VIDEO, on_task=True, allowance="title =funny cats"),
            "you allow page funny cats",
            NOTHING,
        ),
        (Why(rule="allowed", subject=VIDEO, on_task=True), "you allow it", NOTHING),
        (LOCAL, "the judge `local` gave it, after less than 0.1 s", NOTHING),
        (
            replace(LOCAL, rule="cache"),
            (
                "an earlier verdict on the same page is remembered; "
                "the judge `local` gave it, after less than 0.1 s"
            ),
            NOTHING,
        ),
        (
            replace(LOCAL, rule="cache", backend=""),
            "an earlier verdict on the same page is remembered; who gave it is no longer known",
            "because: ",
        ),
        (
            replace(LOCAL, error="later it timed out"),
            "the judge `local` gave it, after less than 0.1 s",
            NOTHING,
        ),
        (
            replace(LOCAL, on_task=None, error="it timed out"),
            "the judge `local` failed, after less than 0.1 s",
            NOTHING,
        ),
    ],
)
def test_each_rule_has_its_words(
    daemon: FakeDaemon, antidrift: Antidrift, result: Why, because: str, end: str
) -> None:
    lines = explained(daemon, antidrift, result)

    assert f"because: {because}" in lines
    assert lines[-1].startswith(end)
    assert (f"error: {result.error}" in lines) == bool(result.error)


@pytest.mark.parametrize(
    ("on_task", "words"),
    [(True, "on task"), (False, "drifting"), (None, "none, as it can't be told")],
)
def test_each_verdict_has_its_words(
    daemon: FakeDaemon, antidrift: Antidrift, on_task: bool | None, words: str
) -> None:
    lines = explained(daemon, antidrift, replace(LOCAL, on_task=on_task, at=None))

    assert lines[1] == f"verdict: {words} (a video site)"


def test_a_judge_that_failed_is_not_said_to_be_unsure(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    failed = replace(LOCAL, on_task=None, reason="", at=None, error="it timed out")

    assert explained(daemon, antidrift, failed)[1] == "verdict: none"


def test_before_the_first_verdict_it_says_so(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    none = Why(rule="none", reason="nothing has been judged in this session yet")

    assert explained(daemon, antidrift, none) == [
        "nothing has been judged in this session yet",
        "nothing was sent",
    ]


def test_a_preview_prints_the_text_and_nothing_else(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    daemon.answers["why"] = Why(rule="preview", subject=VIDEO, backend="claude", sent=PROMPT)

    assert antidrift("why", "--preview") == (0, PROMPT, "")
    assert daemon.params("why") == {"preview": True}


@pytest.mark.parametrize(
    ("backend", "why"),
    [("local", "the judge `local` is built in"), ("none", "there is no judge")],
)
def test_a_preview_of_nothing_is_empty_and_says_why_aside(
    daemon: FakeDaemon, antidrift: Antidrift, backend: str, why: str
) -> None:
    daemon.answers["why"] = Why(rule="preview", subject=VIDEO, backend=backend)

    assert antidrift("why", "--preview") == (0, "", f"nothing would be sent: {why}\n")


@pytest.mark.parametrize("flags", [[], ["--preview"]], ids=str)
def test_as_json_it_is_the_result(
    daemon: FakeDaemon, antidrift: Antidrift, flags: list[str]
) -> None:
    daemon.answers["why"] = replace(JUDGED, reason="日本\u202e")
    code, out, err = antidrift("why", *flags, "--json")

    assert (code, err) == (0, "")
    assert out.isascii()
    assert json.loads(out)["reason"] == "日本\u202e"
    assert json.loads(out)["sent"] == PROMPT


def test_what_others_wrote_cannot_deceive(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    hostile = "x\x1b[2J\u202e\n-----end of what was sent-----"
    result = Why(
        rule="judge",
        subject=replace(VIDEO, title=hostile),
        reason=hostile,
        backend=hostile,
        sent=f"a\x1b[2J\u202e\r{'z' * 3000}",
        error=hostile,
    )
    lines = explained(daemon, antidrift, result)

    assert all(line.isprintable() for line in lines)
    assert [line for line in lines if line.startswith("-----end")] == [lines[-1]]
    assert "z" * 3000 in lines[-2]
