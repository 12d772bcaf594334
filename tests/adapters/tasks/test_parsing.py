"""What a program may print: JSON, CSV or lines, and what is refused in one clear line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.tasks.entries import Entry
from antidriftd.adapters.tasks.parsing import parse_entries
from antidriftd.adapters.tasks.port import TaskSourceError

MILK, ANN = Entry("buy milk", "7"), Entry("call Ann", "8")
TWO = [{"id": "7", "title": "buy milk"}, {"id": "8", "title": "call Ann"}]
INSPECTED = """\
[
  {
    _id: "7",
    title: "buy milk",
    day: "2026-11-30",
    labelIds: [ "a", "b" ]
  },
  {
    _id: "8",
    title: "call Ann",
    ... 3 more items
  }
]
"""
"""How Deno shows an array of objects (its inspect format), and so `marvin today`."""


def parse(text: str) -> list[Entry]:
    return parse_entries(text.encode())


def refusal(text: str | bytes, *, json_only: bool = False) -> str:
    output = text.encode() if isinstance(text, str) else text
    with pytest.raises(TaskSourceError) as caught:
        parse_entries(output, json_only=json_only)
    message = str(caught.value)
    assert message.isprintable()
    return message


class TestJson:
    @pytest.mark.parametrize(
        "text",
        [
            json.dumps(TWO),
            json.dumps(TWO, indent=2),
            json.dumps(TWO, separators=(",", ":")),
            json.dumps(TWO, indent=2).replace("\n", "\r\n"),
            "\ufeff" + json.dumps(TWO),
            f"\n\n {json.dumps(TWO)}\n\n",
            "\n".join(map(json.dumps, TWO)),
            "\r\n\r\n".join(map(json.dumps, TWO)),
            "".join(map(json.dumps, TWO)),
            "\n".join(json.dumps(each, indent=2) for each in TWO),
            "\n".join(json.dumps([each]) for each in TWO),
            f"\x1b[?25l\x1b[32m{json.dumps(TWO)}\x1b[0m",
        ],
    )
    def test_arrays_and_objects_are_read_however_they_are_laid_out(self, text: str) -> None:
        assert parse(text) == [MILK, ANN]
        assert parse_entries(text.encode(), json_only=True) == [MILK, ANN]

    @pytest.mark.parametrize(
        "record",
        [
            {"_id": "7", "title": "buy milk", "done": False, "day": "2026-11-30"},
            {"id": 1, "uuid": "7", "description": "buy milk", "urgency": 9.07},
            {"id": 7, "name": "buy milk"},
            {"uuid": None, "id": 7, "title": None, "description": "buy milk"},
            {"id": "7", "title": "buy milk", "description": "two litres", "name": "n"},
            {"id": "7", "title": "buy milk", "done": "no"},
            {"id": "7", "title": "buy milk", "done": None},
        ],
    )
    def test_the_names_of_several_programs_are_known(self, record: dict[str, object]) -> None:
        assert parse(json.dumps(record)) == [MILK]

    @pytest.mark.parametrize("given_id", [None, True, 1.5, [], {}])
    def test_an_id_that_is_neither_text_nor_a_whole_number_is_none(self, given_id: object) -> None:
        assert parse(json.dumps({"id": given_id, "title": "buy milk"})) == [Entry("buy milk")]

    def test_texts_alone_are_titles(self) -> None:
        assert parse('["buy milk", "call Ann"]') == [Entry("buy milk"), Entry("call Ann")]

    @pytest.mark.parametrize("done", [True, "Y", "yes", "true", " X "])
    def test_what_is_done_is_left_out(self, done: object) -> None:
        records = [TWO[0], {"id": "9", "title": "sleep", "done": done}, {"done": done}]
        assert parse(json.dumps(records)) == [MILK]

    @pytest.mark.parametrize("text", ["[]", "[\n]\n", " [ ] ", "[]\n[]"])
    def test_an_empty_array_is_no_task(self, text: str) -> None:
        assert parse_entries(text.encode(), json_only=True) == []

    def test_control_characters_that_are_not_escaped_are_taken(self) -> None:
        assert parse('{"id":"7","title":"a\tb\x07c"}') == [Entry("a\tb\x07c", "7")]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ('{"error": "unauthorized"}', "entry 1 has no title"),
            ('[{"title": "a"}, {"title": 7}]', "entry 2 has no title"),
            ('[{"title": null}]', "entry 1 has no title"),
            ('{"tasks": [{"title": "a"}]}', "entry 1 has no title"),
            ('["a", 7]', "entry 2 is neither an object nor a text"),
            ('[{"title": "a"}, [{"title": "b"}]]', "entry 2 is neither an object nor a text"),
            ('[{"title": "a"}, null]', "entry 2 is neither an object nor a text"),
        ],
    )
    def test_the_first_entry_of_a_wrong_shape_is_named(self, text: str, why: str) -> None:
        assert refusal(text) == why

    @pytest.mark.parametrize(
        "text",
        [
            INSPECTED,
            INSPECTED.replace("\n", " "),
            INSPECTED.replace("\n", "\x1b[0m\n"),
            "{ _id: '7', title: 'buy milk' }",
            "[ 'buy milk', 'call Ann' ]",
            json.dumps(TWO)[:-1],
            json.dumps(TWO) + "\nDone in 3 ms",
            "Fetching…\n" + json.dumps(TWO),
            "Fetching…\n" + json.dumps(TWO, indent=2),
            "[{" * 100_000,
            '{"a":' * 100_000,
            '[{"title": ' + "9" * 5000 + "}]",
        ],
    )
    def test_what_looks_like_json_and_is_not_is_never_taken_for_titles(self, text: str) -> None:
        message = refusal(text)
        assert message.startswith("what it printed looks like JSON and is not (")
        assert "--csv" in message

    @pytest.mark.parametrize("text", ["", "\n", "buy milk", "7", "null", '"buy milk"', "id,title"])
    def test_nothing_but_json_will_do_where_only_json_counts(self, text: str) -> None:
        assert refusal(text, json_only=True) == "there is no JSON in what it printed"


class TestCsv:
    HEADER = "ID,TITLE,DONE,DONE_AT,SCHEDULE_DATE,DUE_DATE,PRIORITY,FROG\n"

    def test_the_csv_of_marvin_is_read(self) -> None:
        rows = "7,buy milk,N,,2026-11-30,,0,0\n9,sleep,Y,1796047512,,,0,0\n8,call Ann,N,,,,1,1\n"
        assert parse(self.HEADER + rows) == [MILK, ANN]

    @pytest.mark.parametrize(
        "text",
        [
            "title,id\nbuy milk,7\ncall Ann,8",
            "\ufefftitle,id\r\nbuy milk,7\r\ncall Ann,8\r\n",
            '"Title","uuid"\nbuy milk,7\ncall Ann,8\n',
            "Title , UUID \nbuy milk,7\ncall Ann,8\n",
            "description,id,uuid\nbuy milk,1,7\ncall Ann,2,8\n",
            '_id,name\n"7","buy milk"\n"8","call Ann"\n',
        ],
    )
    def test_the_columns_are_found_by_name(self, text: str) -> None:
        assert parse(text) == [MILK, ANN]

    def test_quotes_keep_commas_quotes_and_line_ends(self) -> None:
        rows = '7,"milk, ""fat""\nand bread",N\n8,call Ann,N\n'
        assert parse("id,title,done\n" + rows) == [Entry('milk, "fat"\nand bread', "7"), ANN]

    def test_rows_that_are_short_or_long_do_no_harm(self) -> None:
        titles = [entry.title for entry in parse("id,title\n\n7\n8,call Ann,more,and more\n")]
        assert [title for title in titles if title] == ["call Ann"]

    def test_a_header_alone_is_no_task(self) -> None:
        assert parse(self.HEADER) == []

    @pytest.mark.parametrize("row", ['7,"never closed', '7,"a"b', '7,"' + "x" * 140_000 + '"'])
    def test_broken_csv_is_refused(self, row: str) -> None:
        assert refusal(f"id,title\n{row}\n").startswith("what it printed looks like CSV and is not")


class TestCut:
    @pytest.mark.parametrize(
        "text",
        [
            json.dumps(TWO),
            json.dumps(TWO, indent=2),
            "\n".join(map(json.dumps, TWO)),
            "id,title\n7,buy milk\n8,call Ann\n",
        ],
    )
    def test_wherever_the_end_is_missing_only_complete_entries_are_read(self, text: str) -> None:
        lengths = set()
        for end in range(len(text)):
            refused = False
            try:
                entries = parse_entries(text[:end].encode(), is_cut=True)
            except TaskSourceError:
                refused = True
            if not refused and end > len("id,title\n"):
                assert entries == [MILK, ANN][: len(entries)]
                lengths.add(len(entries))
        assert 1 in lengths


class TestLines:
    def test_each_line_is_a_title(self) -> None:
        text = "buy milk\ncall Ann\r\npay rent\rsleep\n"
        titles = ["buy milk", "call Ann", "pay rent", "sleep"]
        assert parse(text) == [Entry(title) for title in titles]

    @pytest.mark.parametrize(
        "line",
        [
            "[ ] call Ann",
            "[x] call Ann",
            "[urgent] call Ann",
            "[[Project X]] review",
            "[1] call Ann",
            "{id} is a placeholder",
            "{braces} first",
            "Write abstract, title",
            "id, title: which first?",
            "title",
            "7",
            "true",
            '"quoted"',
            "(A) call Ann",
            "- call Ann",
            "call Ann ]",
        ],
    )
    def test_titles_that_begin_oddly_are_titles(self, line: str) -> None:
        assert parse(line) == [Entry(line)]
        assert parse(f"buy milk\n{line}") == [Entry("buy milk"), Entry(line)]

    def test_bytes_that_are_no_utf_8_become_replacement_characters(self) -> None:
        assert parse_entries("Bücher".encode("latin-1")) == [Entry("B\ufffdcher")]


@pytest.mark.parametrize("text", ["", "\n", " \r\n\t\n", "\ufeff"])
def test_nothing_printed_is_no_task(text: str) -> None:
    assert [entry for entry in parse(text) if entry.title.strip()] == []


def test_a_flood_of_line_ends_or_spaces_takes_no_time_to_speak_of() -> None:
    for flood in ("\n", " ", " \n", "{ ", "[ ", "\x1b]", "\x1b[", '"', ",", "[]", "{}", "1 "):
        for ending in ("", "x", "]", '"'):
            output = (flood * 32_768 + ending).encode()
            try:
                parse_entries(output)
            except TaskSourceError:
                continue


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "_id", "uuid", "title", "description", "done", "x"]), inner
        )
    ),
    max_leaves=20,
)
scraps = st.sampled_from(
    ["[", "]", "{", "}", '"', ",", ":", "\n", "id,title\n", '{"title":', "\\u0000", "\x1b[", "é"]
)


@given(
    st.binary()
    | st.lists(scraps).map("".join).map(str.encode)
    | json_values.map(json.dumps).map(str.encode)
    | st.lists(json_values.map(json.dumps)).map("\n".join).map(str.encode),
    st.booleans(),
    st.booleans(),
)
def test_any_output_gives_entries_or_one_line_of_refusal(
    output: bytes, json_only: bool, is_cut: bool
) -> None:
    refused, entries = "", []
    try:
        entries = parse_entries(output, json_only=json_only, is_cut=is_cut)
    except TaskSourceError as error:
        refused = str(error)
    assert refused.isprintable()
    assert all(isinstance(each.title, str) and isinstance(each.id, str) for each in entries)


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1))
def test_what_is_printed_as_json_is_what_is_read(pairs: list[tuple[str, str]]) -> None:
    records = [{"id": given_id, "title": title} for given_id, title in pairs]
    expected = [Entry(title, given_id) for given_id, title in pairs]
    assert parse(json.dumps(records)) == expected
