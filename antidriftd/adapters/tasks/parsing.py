"""Reads what a program printed as a list of tasks: JSON, CSV with a header, or plain lines."""

import csv
import io
import json
import re
from collections.abc import Mapping
from itertools import zip_longest

from antidriftd.adapters.tasks.entries import Entry
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.adapters.tasks.text import without_terminal_codes

# The first one that is there counts. Taskwarrior's `id` changes with every clean-up, its `uuid`
# never does; Amazing Marvin has `_id`.
_ID_NAMES = ("uuid", "_id", "id")
_TITLE_NAMES = ("title", "description", "name")
_DONE_NAME = "done"
_YES = {"y", "yes", "true", "x", "1"}

# How a line begins that no title does, and JSON or its like often does: "[ ] call Ann" is a title.
_LIKE_JSON = re.compile(
    r"""^[ \t]*(?:\[[ \t]*(?:$|[{"']|\][ \t]*$)|\{[ \t]*(?:$|[}"']|\w+[ \t]*:))""", re.MULTILINE
)
_SOMETHING = re.compile(r"\S")
# Not strict: Taskwarrior 2.6.2 prints control characters as they are.
_JSON = json.JSONDecoder(strict=False)


def parse_entries(output: bytes, *, json_only: bool = False) -> list[Entry]:
    """Return the entries in `output`, without those that are done; nothing printed is no entry.

    JSON is arrays, objects or both, one after the other; an array holds objects or texts. An
    object has a title (`title`, else `description`, else `name`), and may have an id (`uuid`,
    `_id` or `id`) and `done`. CSV names an id and a title among the columns in its first line, in
    any case. In anything else each line is a title. With `json_only`, JSON it must be.

    Raises:
        TaskSourceError: it is none of these; the message says what is wrong, in one line.
    """
    text = without_terminal_codes(output.decode("utf-8-sig", errors="replace"))
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if _LIKE_JSON.search(text):
        return _entries(_json_values(text))
    if json_only:
        raise TaskSourceError("there is no JSON in what it printed")
    if _is_csv_header(text.partition("\n")[0]):
        return _entries(_csv_records(text))
    return [Entry(line) for line in text.split("\n")]


def _entries(values: list[object]) -> list[Entry]:
    entries = []
    for number, value in enumerate(values, start=1):
        match value:
            case str(title):
                entries.append(Entry(title))
            case dict() as record:
                if not _is_done(record):
                    entries.append(_entry(number, record))
            case _:
                raise TaskSourceError(f"entry {number} is neither an object nor a text")
    return entries


def _entry(number: int, record: Mapping[str, object]) -> Entry:
    titles = [record[name] for name in _TITLE_NAMES if name in record]
    ids = [record[name] for name in _ID_NAMES if name in record]
    match titles, ids:
        case [str(title), *_], [(str() | int()) as given, *_] if not isinstance(given, bool):
            return Entry(title, str(given))
        case [str(title), *_], _:
            return Entry(title)
        case _:
            raise TaskSourceError(f"entry {number} has no title")


def _is_done(record: Mapping[str, object]) -> bool:
    done = record.get(_DONE_NAME, False)
    return done.strip().casefold() in _YES if isinstance(done, str) else done is True


def _json_values(text: str) -> list[object]:
    """Return the JSON values that `text` is made of, the members of an array each by itself."""
    values: list[object] = []
    try:
        begin = _SOMETHING.search(text)
        while begin:
            value, end = _JSON.raw_decode(text, begin.start())
            values.extend(value if isinstance(value, list) else [value])
            begin = _SOMETHING.search(text, end)
    except (ValueError, RecursionError) as error:
        raise TaskSourceError(
            f"what it printed looks like JSON and is not ({error}); "
            "JSON, CSV and plain lines can be read (`marvin today` needs --csv)"
        ) from error
    return values


def _is_csv_header(line: str) -> bool:
    columns = {column.strip(' "').casefold() for column in line.split(",")}
    return not columns.isdisjoint(_ID_NAMES) and not columns.isdisjoint(_TITLE_NAMES)


def _csv_records(text: str) -> list[object]:
    rows = csv.reader(io.StringIO(text), strict=True)
    try:
        columns = [column.strip().casefold() for column in next(rows)]
        return [dict(zip_longest(columns, row, fillvalue="")) for row in rows]
    except csv.Error as error:
        raise TaskSourceError(f"what it printed looks like CSV and is not: {error}") from error
