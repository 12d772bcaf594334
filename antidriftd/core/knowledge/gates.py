"""The gates: what code holds a judge's answer to. One that fails, fails the run; none is mended."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from antidriftd.core.knowledge.credentials import looks_secret
from antidriftd.core.knowledge.errors import CustodyCode, CustodyError
from antidriftd.core.knowledge.judging import Outcome
from antidriftd.core.knowledge.model import Candidate, Input
from antidriftd.core.knowledge.proposing import line_text
from antidriftd.core.knowledge.section import MAX_NODE_BYTES, Section, parse_section

MAX_TEXT_CHARS = 240
QUOTED_WORDS = 8
"""A run of so many words of somebody else's text is a quotation."""

_AS_OF = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])(?:-\d\d)?")
_SLOW_STATE = re.compile(
    r"\b(?:this|these|next|current)\s+(?:week|month|quarter|term|semester|year|season)\b"
    r"|\b(?:currently|at the moment|for now|these days|until further notice|right now)\b",
    re.IGNORECASE,
)
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


def check_outcomes(
    outcomes: tuple[Outcome, ...],
    candidates: Mapping[str, tuple[Input, Candidate]],
    section: Section,
    retired: Iterable[str],
) -> None:
    """Hold the outcomes to every gate; `retired` are texts that the person took out.

    Raises:
        CustodyError: `E_JUDGMENT` or `E_EXCLUDED`, naming the gate and the candidate.
    """
    _check_cover(outcomes, candidates)
    entries, gone = section.entries(), {_plain(text) for text in retired}
    third_party = [_words(text) for text in _third_party_texts(candidates.values())]
    targets = [each.target for each in outcomes if each.verdict in {"merge", "supersede"}]
    for outcome in outcomes:
        _, candidate = candidates[outcome.candidate]
        _check_shape(outcome, candidate)
        if outcome.verdict == "drop":
            continue
        if outcome.verdict != "promote":
            _require(outcome.target in entries, outcome, "names no entry that is there")
            _require(targets.count(outcome.target) == 1, outcome, "changes an entry twice")
        _check_text(outcome, third_party)
        _require(_plain(line_text(outcome)) not in gone, outcome, "brings back what was retired")
        _require(_plain(outcome.text or "") not in gone, outcome, "brings back what was retired")
    _check_support(outcomes, candidates)
    _check_no_doubles(outcomes, section)


def check_result(before: Section, after: bytes) -> None:
    """Make sure that only the section differs, that it is well-formed, and that the coach sees all.

    Raises:
        CustodyError: `E_SECTION` or `E_TOO_LARGE`.
    """
    if not after.startswith(before.before) or not after.endswith(before.after):
        raise CustodyError("E_SECTION", "bytes outside of the learned section would change")
    parse_section(after)
    check_size(after)


def check_size(content: bytes) -> None:
    """Make sure that a node's file is no larger than what the coach reads.

    Raises:
        CustodyError: `E_TOO_LARGE`.
    """
    if len(content) > MAX_NODE_BYTES:
        message = (
            f"the file would have {len(content)} bytes of at most {MAX_NODE_BYTES}; shorten it"
        )
        raise CustodyError("E_TOO_LARGE", message)


def _check_cover(
    outcomes: tuple[Outcome, ...], candidates: Mapping[str, tuple[Input, Candidate]]
) -> None:
    counts = Counter(outcome.candidate for outcome in outcomes)
    if set(counts) != set(candidates) or any(count > 1 for count in counts.values()):
        message = "the judge did not give every candidate exactly one outcome"
        raise CustodyError("E_JUDGMENT", message)


def _check_shape(outcome: Outcome, candidate: Candidate) -> None:
    has_text = bool(outcome.text and outcome.text.strip())
    if outcome.verdict == "drop":
        _require(not has_text and not outcome.target, outcome, "drops, and writes all the same")
        kept = candidate.kind == "decision" and outcome.code not in {"excluded", "duplicate"}
        _require(not kept, outcome, "drops a decision of the person")
    else:
        _require(has_text, outcome, "has no text")
        _require(outcome.code not in {"excluded", "unverified"}, outcome, "keeps what it excludes")
    if outcome.verdict == "promote":
        _require(not outcome.target, outcome, "is new, and names an entry")


def _check_text(outcome: Outcome, third_party: list[list[str]]) -> None:
    text = line_text(outcome)
    plain = not any(_is_hidden(char) for char in outcome.text or "")
    _require(plain, outcome, "is not one plain line")
    _require(len(text) <= MAX_TEXT_CHARS, outcome, f"is longer than {MAX_TEXT_CHARS} characters")
    _require("<!--" not in text and "-->" not in text, outcome, "holds a comment of markup")
    valid = outcome.as_of is None or _AS_OF.fullmatch(outcome.as_of) is not None
    _require(valid, outcome, "has an `as_of` that is no month")
    dated = bool(outcome.as_of) or _SLOW_STATE.search(text) is None
    _require(dated, outcome, "tells how things are now, without `as_of`")
    _require(not looks_secret(text), outcome, "looks like a credential", "E_EXCLUDED")
    quotes = any(_quotes(_words(text), words) for words in third_party)
    _require(not quotes, outcome, "quotes somebody else", "E_EXCLUDED")


def _check_support(
    outcomes: Iterable[Outcome], candidates: Mapping[str, tuple[Input, Candidate]]
) -> None:
    """Nothing is learned of one session alone unless the person stated it; support may be seen."""
    sessions: dict[str, set[str]] = {}
    for packet, candidate in candidates.values():
        sessions.setdefault(_support_key(candidate), set()).add(packet.source.id)
    for outcome in outcomes:
        _, candidate = candidates[outcome.candidate]
        if outcome.verdict == "drop" or candidate.certainty == "stated":
            continue
        if outcome.verdict != "merge" or candidate.certainty == "inferred":
            enough = len(sessions[_support_key(candidate)]) >= 2
            _require(enough, outcome, "rests on one session, and nobody stated it")


def _support_key(candidate: Candidate) -> str:
    return f"{candidate.kind}\n{candidate.data.get('class', '')}"


def _check_no_doubles(outcomes: Iterable[Outcome], section: Section) -> None:
    there = {_plain(entry.text): entry.id for entry in section.entries().values()}
    for outcome in outcomes:
        if outcome.verdict == "drop":
            continue
        text = _plain(line_text(outcome))
        _require(there.get(text, outcome.target) == outcome.target, outcome, "is there already")
        there[text] = outcome.target or outcome.candidate


def _third_party_texts(candidates: Iterable[tuple[Input, Candidate]]) -> Iterable[str]:
    for _, candidate in candidates:
        if candidate.third_party:
            yield candidate.claim
            yield from (value for value in candidate.data.values() if isinstance(value, str))


def _quotes(text: list[str], source: list[str]) -> bool:
    runs = {tuple(source[n : n + QUOTED_WORDS]) for n in range(len(source) - QUOTED_WORDS + 1)}
    return any(
        tuple(text[n : n + QUOTED_WORDS]) in runs for n in range(len(text) - QUOTED_WORDS + 1)
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN and char not in _JOINERS


def _require(holds: bool, outcome: Outcome, why: str, code: CustodyCode = "E_JUDGMENT") -> None:
    if not holds:
        raise CustodyError(code, f"the judge's outcome for {_safe(outcome.candidate)} {why}")


def _safe(name: str) -> str:
    return name if re.fullmatch(r"[0-9a-f]{8}:\d{1,4}", name) else "a candidate"
