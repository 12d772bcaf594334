"""Only what stands between the marks is ever changed, whatever the file is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.section import (
    BEGIN,
    END,
    Change,
    Entry,
    changed,
    marks_in,
    parse_section,
)

NEWLINES = st.sampled_from([b"\n", b"\r\n", b"\r", b""])
MARKS = st.sampled_from([BEGIN, END, b"<!-- antidrift:learned v2 -->", b" " + BEGIN, END + b" x"])
LINES = st.one_of(
    st.binary(max_size=20),
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=10).map(lambda text: text.encode("utf-16", "surrogatepass")),
    st.text(max_size=10).map(lambda text: text.encode("latin-1", "replace")),
    MARKS,
)
FILES = st.lists(st.tuples(LINES, NEWLINES), max_size=8).map(
    lambda parts: b"".join(line + newline for line, newline in parts)
)
OUTSIDE = st.lists(
    st.tuples(st.binary(max_size=20), st.sampled_from([b"\n", b"\r\n"])), max_size=5
).map(lambda parts: b"".join(line.replace(b"\n", b"") + newline for line, newline in parts))
INSIDE = st.lists(
    st.text(
        alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=20
    ),
    max_size=4,
)
ENTRIES = st.lists(
    st.builds(
        Entry,
        st.from_regex(r"[a-z][a-z .]{0,20}[a-z]", fullmatch=True),
        st.from_regex(r"k:[0-9a-f]{8}", fullmatch=True),
        st.integers(1, 9),
        st.just("2026-11-30"),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda entry: entry.id,
)


def add(content: bytes, entries: list[Entry]) -> bytes:
    section = parse_section(content)
    return section.with_lines(changed(section, map(Change, entries)))


@given(FILES, ENTRIES)
def test_no_byte_outside_of_the_marks_ever_changes(content: bytes, entries: list[Entry]) -> None:
    try:
        section = parse_section(content)
    except CustodyError:
        return  # nothing will be written at all
    after = section.with_lines(changed(section, map(Change, entries)))

    if section.has_marks:
        begin = content.index(BEGIN) + len(BEGIN)
        assert after.startswith(content[:begin])
        assert after.endswith(content[content.index(END) :])
    else:
        assert after.startswith(content)
    assert marks_in(after) >= {entry.mark for entry in entries}


@given(OUTSIDE, OUTSIDE, INSIDE, st.sampled_from(["\n", "\r\n"]), ENTRIES)
def test_what_the_person_wrote_between_the_marks_stays(
    before: bytes, after: bytes, inside: list[str], newline: str, entries: list[Entry]
) -> None:
    body = "".join(line + newline for line in inside).encode()
    end = newline.encode()
    content = before + BEGIN + end + body + END + end + after
    try:
        section = parse_section(content)
    except CustodyError:
        return  # what Hypothesis wrote looks like a mark
    lines = changed(section, map(Change, entries))

    kept = [line for line in lines if line in section.lines]
    assert kept == list(section.lines)
    assert section.with_lines(section.lines) == content
    whole = section.with_lines(lines)
    assert whole.startswith(before + BEGIN + end)
    assert whole.endswith(END + end + after)


@given(OUTSIDE, ENTRIES)
def test_what_was_added_is_read_back(before: bytes, entries: list[Entry]) -> None:
    try:
        after = add(before, entries)
    except CustodyError:
        return
    assert parse_section(after).entries() == {entry.id: entry for entry in entries}
    assert add(after, []) == after


def test_an_entry_is_replaced_where_it_stands() -> None:
    content = (
        b"me\n" + BEGIN + b"\nmine\n- Old. <!-- k:00000001.1 2026-11-01 -->\n- own\n" + END + b"\n"
    )
    section = parse_section(content)
    new = Entry("New.", "k:00000001", 2, "2026-11-30")

    assert section.with_lines(changed(section, [Change(new, "k:00000001")])) == content.replace(
        b"Old. <!-- k:00000001.1 2026-11-01", b"New. <!-- k:00000001.2 2026-11-30"
    )


@pytest.mark.parametrize(
    "content",
    [
        BEGIN + b"\n",
        END + b"\n",
        END + b"\n" + BEGIN + b"\n",
        BEGIN + b"\n" + END + b"\n" + BEGIN + b"\n" + END + b"\n",
        BEGIN + b" \n" + END + b"\n",
        b"- " + BEGIN + b"\n" + END + b"\n",
        BEGIN.replace(b"v1", b"v2") + b"\n" + END + b"\n",
        BEGIN + b"\r" + END + b"\r",
        BEGIN + b"\n\xff\n" + END + b"\n",
        BEGIN + b"\n- x <!-- k:zz -->\n" + END + b"\n",
        BEGIN + b"\n" + 2 * b"- x <!-- k:00000001.1 2026-11-01 -->\n" + END + b"\n",
        "me".encode("utf-16"),
    ],
)
def test_a_section_that_can_be_read_in_two_ways_is_refused(content: bytes) -> None:
    with pytest.raises(CustodyError, match="E_SECTION"):
        parse_section(content)
