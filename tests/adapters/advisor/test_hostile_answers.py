"""Random, hostile and cut answers: each reader returns what it promises, or says that it can't."""

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.replies import parse_nudge, parse_proposal, parse_verdict
from antidriftd.core.model import Proposal, Verdict

Parse = Callable[..., Verdict | Proposal | str]

VERDICTS = (
    '{"on_task": true, "reason": "the ticket"}',
    '{"on_task": false, "reason": "a feed"}',
)
PROPOSALS = (
    '{"next_action": "write", "success_condition": "", "timebox_minutes": 25}',
    '{"next_action":"a","success_condition":"","timebox_minutes":9,"allowed_window_classes":["b"]}',
)
NUDGES = ('{"nudge": "half of it is done"}', '{"nudge": ""}')
SAMPLES: list[tuple[Parse, tuple[str, str]]] = [
    (parse_verdict, VERDICTS),
    (parse_proposal, PROPOSALS),
    (parse_nudge, NUDGES),
]

TAGS = ("<think>", "</think>", "<thinking>", "\x1b[", "\x1b]0;", "\x07", "\x1b[9D\x1b[K", "\x9b")
HUGE = ("\\ud800", "\\u0000", "9" * 5000, '{"a":' * 50, "[" * 2000, "}" * 50, "1e999", "-1")
MARKS = (
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ",",
    ":",
    "`",
    "\n",
    " ",
    "\x00",
    "\ud800",
    "\u202e",
    "null",
)


def clutter(samples: tuple[str, str]) -> st.SearchStrategy[str]:
    whole = [*samples, samples[0][:-1], samples[0][1:], *samples[0].split()]
    return st.sampled_from([*whole, *TAGS, *HUGE, *MARKS]) | st.text(max_size=8)


def assert_sound_or_refused(parse: Parse, text: str | bytes) -> None:
    try:
        answer = parse(text, untrusted="<think>{")
    except AdvisorError:
        return
    match answer:
        case Verdict(on_task, reason):
            assert on_task is None or isinstance(on_task, bool)
            assert_clean(reason, 200)
        case Proposal(action, success, secs, classes):
            assert action.strip()
            assert type(secs) is int
            assert secs % 60 == 0
            assert 60 <= secs <= 86400
            assert len({each.casefold() for each in classes}) == len(classes) <= 20
            for each in (action, success):
                assert_clean(each, 512)
            for each in classes:
                assert each.strip() == each != ""
                assert_clean(each, 256)
        case _:
            assert_clean(answer, 200)


def assert_clean(text: str, max_chars: int) -> None:
    assert isinstance(text, str)
    assert len(text) <= max_chars
    assert not {unicodedata.category(character) for character in text} & {"Cc", "Cs", "Zl", "Zp"}


# Each example tries some twenty answers: more than 10,000 for each reader in all.
@pytest.mark.parametrize(("parse", "samples"), SAMPLES)
@settings(max_examples=200, deadline=None)
@given(st.data())
@pytest.mark.fault("T10", "judge hostile or wrong")
def test_hostile_text_never_raises_anything_else(
    parse: Parse, samples: tuple[str, str], data: st.DataObject
) -> None:
    pieces = data.draw(st.lists(clutter(samples), min_size=20, max_size=30))
    for end in range(len(pieces)):
        assert_sound_or_refused(parse, "".join(pieces[:end]))


@pytest.mark.parametrize(("parse", "samples"), SAMPLES)
@settings(max_examples=150, deadline=None)
@given(
    st.booleans(),
    st.lists(
        st.tuples(st.integers(0, 150), st.integers(0, 8), st.binary(max_size=4)),
        min_size=20,
        max_size=20,
    ),
)
@pytest.mark.fault("T10", "judge hostile or wrong")
def test_mutated_answers_never_raise_anything_else(
    parse: Parse, samples: tuple[str, str], thinks: bool, mutations: list[tuple[int, int, bytes]]
) -> None:
    first, second = samples
    text = f"<think>{second}</think>\x1b[0m{first}" if thinks else f"{first} {second}"
    answer = text.encode()
    for start, length, instead in mutations:
        assert_sound_or_refused(parse, answer[:start] + instead + answer[start + length :])
        assert_sound_or_refused(parse, answer[:start])


@pytest.mark.parametrize("parse", [parse for parse, _ in SAMPLES])
@settings(max_examples=1000, deadline=None)
@given(st.binary(max_size=200))
@pytest.mark.fault("T10", "judge hostile or wrong")
def test_random_bytes_never_raise_anything_else(parse: Parse, data: bytes) -> None:
    assert_sound_or_refused(parse, data)


@pytest.mark.parametrize(
    "unit",
    [
        *("{", '{"', '{"a":', '{"a":{', "{ ", '{"a"}', '{"a":1}', "[", '{"a":[', '"', '"\\"', "\\"),
        *("<think>", "</think>", "\x1b", "\x1b[", "\x1b[0", "\x1b]", "\x1bP"),
        *("\x9d", "\x9b", "\x90"),
        *("\x1b[9D\x1b[K", "x\x1b[9D\x1b[K", "\x07", "\u2028", "\x00", "9", "".join(VERDICTS)),
        *('{"on_task": true, "reason": "', '{"on_task":true,"reason":"x","a":{'),
    ],
)
@pytest.mark.parametrize("before", ["", '{"a": ', "{", '"', "\x1b]"])
def test_64_kib_of_anything_take_no_time(before: str, unit: str) -> None:
    text = (before + unit * 65536)[:65536]
    began = time.process_time()
    assert_sound_or_refused(parse_verdict, text)
    # Linear work takes some milliseconds; work that grows with the square takes many seconds.
    assert time.process_time() - began < 3


def test_64_kib_of_one_proposal_take_no_time() -> None:
    classes = ", ".join(f'"{number}"' for number in range(8000))
    text = '{"next_action": "x", "success_condition": "", "timebox_minutes": 5, '
    began = time.process_time()
    assert_sound_or_refused(parse_proposal, text + f'"allowed_window_classes": [{classes}]}}')
    assert time.process_time() - began < 3
