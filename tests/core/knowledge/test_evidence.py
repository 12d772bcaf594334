"""Live evidence: what is kept of what was noticed, and that sealing it twice gives the same."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from antidriftd.core.knowledge.evidence import (
    GAP_LEFT_OUT,
    GAP_NO_END,
    MAX_CANDIDATES,
    Header,
    Line,
    as_candidate,
    next_line,
    seal,
)
from antidriftd.core.knowledge.model import Destination, Source, instant
from antidriftd.core.knowledge.steps import Noticed

HEADER = Header(
    source=Source(id="s1", label="write", started="2026-11-30T09:00:00Z"),
    owner="o",
    destination=Destination(ref="me/x", base_id="m", kind="directory", locator={}, bindings=""),
)
SEEN = Noticed(
    at=0.0, kind="verdict", claim="slack", certainty="inferred", window_class="slack", title="Hi"
)
CANDIDATE, _ = as_candidate(0, SEEN, titles=False)


def test_a_title_is_kept_only_if_wanted_and_then_clipped_as_somebody_elses() -> None:
    without, _ = as_candidate(0, SEEN, titles=False)
    assert "title" not in without.data
    assert not without.third_party

    kept, _ = as_candidate(0, replace(SEEN, title="a\n b" + "x" * 500), titles=True)
    assert kept.data["title"] == "a b" + "x" * 157
    assert kept.third_party


def test_what_looks_like_a_credential_is_left_out_and_told() -> None:
    secret = "password: hunter2"
    kept, gap = as_candidate(0, replace(SEEN, title=secret), titles=True)
    assert "hunter2" not in str(kept.data)
    assert gap == GAP_LEFT_OUT

    said, gap = as_candidate(0, replace(SEEN, claim=f"it began with: {secret}"), titles=True)
    assert "hunter2" not in said.claim
    assert gap == GAP_LEFT_OUT


def test_what_is_seen_again_is_counted() -> None:
    first = next_line(CANDIDATE, ())
    assert first == Line(candidate=CANDIDATE)
    again = next_line(replace(CANDIDATE, n=1, at="later"), [Line(candidate=CANDIDATE)])
    assert again == Line(again=0)

    sealed = seal(HEADER, [Line(candidate=CANDIDATE), Line(again=0), Line(again=0)])
    assert [each.data["times"] for each in sealed.candidates] == [3]


def test_there_is_room_for_so_many_candidates_and_no_more() -> None:
    lines = [Line(candidate=replace(CANDIDATE, n=n, claim=str(n))) for n in range(MAX_CANDIDATES)]
    assert next_line(replace(CANDIDATE, claim="one more"), lines) is None
    assert next_line(replace(CANDIDATE, claim="7"), lines) == Line(again=7)


def test_an_end_that_was_not_seen_is_a_gap() -> None:
    assert seal(HEADER, [Line(candidate=CANDIDATE)]).gaps == (GAP_NO_END,)
    ended = seal(HEADER, [Line(candidate=CANDIDATE), Line(ended=instant(60.0))])
    assert ended.complete
    assert ended.source.ended == "1970-01-01T00:01:00Z"


LINES = st.lists(
    st.one_of(
        st.builds(Line, candidate=st.integers(0, 5).map(lambda n: replace(CANDIDATE, n=n))),
        st.builds(Line, again=st.integers(0, 5)),
        st.builds(Line, gap=st.sampled_from(["a", "b"])),
        st.builds(Line, ended=st.just("2026-11-30T10:00:00Z")),
    )
)


@given(LINES)
def test_the_same_lines_always_make_the_same_input(lines: list[Line]) -> None:
    sealed = seal(HEADER, lines)

    assert sealed == seal(HEADER, list(lines))
    numbers = [each.n for each in sealed.candidates]
    assert numbers == sorted(set(numbers))
    assert set(numbers) == {each.candidate.n for each in lines if each.candidate}
