"""Each gate, by an answer that only this gate refuses; none is mended."""

from dataclasses import replace

import pytest

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.gates import check_outcomes, check_result, check_size
from antidriftd.core.knowledge.judging import Outcome
from antidriftd.core.knowledge.model import Candidate, Certainty, Destination, Input, Source
from antidriftd.core.knowledge.section import BEGIN, END, parse_section

SECTION = parse_section(BEGIN + b"\n- Old. <!-- k:00000001.1 2026-11-01 -->\n" + END + b"\n")
TITLE = "one two three four five six seven eight nine"
GOOD = Outcome(candidate="a:0", verdict="promote", code="durable", reason="", text="Mail is last.")
NAMED = Candidate(n=0, at="", kind="note", claim="mail", certainty="stated")


def candidates(*found: Candidate, sessions: int = 1) -> dict[str, tuple[Input, Candidate]]:
    destination = Destination(ref="me/x", base_id="m", kind="directory", locator={}, bindings="")
    result = {}
    for n, candidate in enumerate(found):
        source = Source(id=f"s{n % sessions}")
        packet = Input(
            kind="session", source=source, owner="o", destination=destination, candidates=found
        )
        result[f"a:{n}"] = (packet, candidate)
    return result


def check(*outcomes: Outcome, found: tuple[Candidate, ...] = (NAMED,), sessions: int = 1) -> None:
    check_outcomes(outcomes, candidates(*found, sessions=sessions), SECTION, ["Tea at four."])


def test_a_good_outcome_passes() -> None:
    check(GOOD)


BAD: dict[str, Outcome] = {
    "no text": replace(GOOD, text=None),
    "blank text": replace(GOOD, text="  "),
    "drop with text": replace(GOOD, verdict="drop", code="known"),
    "drop with target": replace(GOOD, verdict="drop", code="known", text=None, target="k:00000001"),
    "promote with target": replace(GOOD, target="k:00000001"),
    "merge without target": replace(GOOD, verdict="merge"),
    "unknown target": replace(GOOD, verdict="supersede", target="k:00000002"),
    "excluded and kept": replace(GOOD, code="excluded"),
    "unverified and kept": replace(GOOD, code="unverified"),
    "two lines": replace(GOOD, text="Mail\nis last."),
    "control character": replace(GOOD, text="Mail\x1b is last."),
    "hidden character": replace(GOOD, text="Mail\u202e is last."),
    "too long": replace(GOOD, text="m" * 241),
    "markup": replace(GOOD, text="Mail <!-- k:00000009.1 -->"),
    "end of markup": replace(GOOD, text="Mail --> is last."),
    "no month": replace(GOOD, as_of="November"),
    "undated": replace(GOOD, text="Currently mail is last."),
    "retired": replace(GOOD, text="tea at FOUR"),
    "there already": replace(GOOD, text="old"),
    "somebody else": replace(GOOD, candidate="b:0"),
}


@pytest.mark.parametrize("outcome", BAD.values(), ids=BAD)
def test_a_bad_outcome_is_refused(outcome: Outcome) -> None:
    with pytest.raises(CustodyError, match=r"\AE_JUDGMENT: [^\n]+\Z") as refused:
        check(outcome)
    assert "Mail" not in str(refused.value)


@pytest.mark.parametrize("outcomes", [(), (GOOD, GOOD)], ids=["none", "two"])
def test_every_candidate_has_exactly_one_outcome(outcomes: tuple[Outcome, ...]) -> None:
    with pytest.raises(CustodyError, match="E_JUDGMENT"):
        check(*outcomes)


def test_two_outcomes_do_not_change_one_entry() -> None:
    one = replace(GOOD, verdict="merge", target="k:00000001", text="A.")
    two = replace(one, candidate="a:1", text="B.")
    with pytest.raises(CustodyError, match="twice"):
        check(one, two, found=(NAMED, NAMED))


@pytest.mark.parametrize("certainty", ["observed", "inferred"])
def test_what_nobody_stated_needs_two_sessions(certainty: Certainty) -> None:
    seen = replace(NAMED, kind="usage", certainty=certainty, data={"class": "slack"})
    other = replace(GOOD, candidate="a:1", verdict="drop", code="duplicate", text=None)
    with pytest.raises(CustodyError, match="one session"):
        check(GOOD, other, found=(seen, seen), sessions=1)
    check(GOOD, other, found=(seen, seen), sessions=2)


def test_what_was_seen_once_may_support_an_entry_but_an_opinion_may_not() -> None:
    merged = replace(GOOD, verdict="merge", target="k:00000001")
    check(merged, found=(replace(NAMED, certainty="observed"),))
    with pytest.raises(CustodyError, match="one session"):
        check(merged, found=(replace(NAMED, certainty="inferred"),))


def test_seven_words_of_somebody_else_are_no_quotation_and_eight_are() -> None:
    quoted = replace(NAMED, third_party=True, data={"title": TITLE})
    check(replace(GOOD, text="one two three four five six seven!"), found=(quoted,))
    with pytest.raises(CustodyError, match="E_EXCLUDED"):
        check(replace(GOOD, text="One, two three four five six seven eight!"), found=(quoted,))


@pytest.mark.parametrize(
    "text",
    [
        "The token is abcdefgh.",
        "Use AKIAIOSFODNN7EXAMPLE here.",
        "https://ann:secret@example.org works.",
        "-----BEGIN RSA PRIVATE KEY----- is it.",
        "sk-ant-REDACTED0123456789",
    ],
)
def test_what_looks_like_a_credential_is_excluded(text: str) -> None:
    with pytest.raises(CustodyError, match="E_EXCLUDED") as refused:
        check(replace(GOOD, text=text))
    assert text not in str(refused.value)


def test_a_decision_is_dropped_only_as_excluded_or_duplicate() -> None:
    decision = replace(NAMED, kind="decision")
    dropped = replace(GOOD, verdict="drop", text=None)
    for code in ("excluded", "duplicate"):
        check(replace(dropped, code=code), found=(decision,))
    with pytest.raises(CustodyError, match="decision"):
        check(replace(dropped, code="task-only"), found=(decision,))


def test_a_result_that_changes_more_than_the_section_is_refused() -> None:
    section = parse_section(b"me\n" + BEGIN + b"\n" + END + b"\nend\n")
    good = section.with_lines([b"- x\n"])
    check_result(section, good)
    for bad in (b"You" + good[2:], good[:-4] + b"END\n", good.replace(END, b"")):
        with pytest.raises(CustodyError, match="E_SECTION"):
            check_result(section, bad)


def test_a_file_is_no_larger_than_what_the_coach_reads() -> None:
    check_size(b"m" * 6144)
    with pytest.raises(CustodyError, match="E_TOO_LARGE"):
        check_size(b"m" * 6145)
