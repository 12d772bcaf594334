"""Tells when a plan is done: rewrites the deed that it names as what is there afterwards."""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from antidriftd.adapters.advisor.local.entries import DataFiles, split_entries
from antidriftd.adapters.advisor.local.phrases import Phrases
from protocol.visible import one_line

_log = logging.getLogger(__name__)

_REST = "\u2026"
_AROUND = " -*\u2022.!?\u3002\uff01\uff1f"
_MAX_REST_CHARS = 300
_MAX_JOINTS = 6


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a deed may be worded, what it must be about, and the end that it then has."""

    wording: str
    topics: frozenset[str]
    end: str

    @property
    def is_of_deeds(self) -> bool:
        """Whether its words begin or end the deed, rather than stand anywhere or not at all."""
        return _REST in self.wording and self.wording != _REST

    @property
    def weight(self) -> tuple[int, int, bool]:
        """How much it asks for: words at an end, words anywhere, none; how long; a topic."""
        place = 2 if self.is_of_deeds else 1 if self.wording != _REST else 0
        return place, len(self.wording), bool(self.topics)

    def rest_of(self, deed: str) -> str:
        """Return what its wording leaves of `deed`; empty if that begins or ends otherwise."""
        if _REST not in self.wording:
            return deed
        head, _, tail = self.wording.partition(_REST)
        end = len(deed) - len(tail)
        is_so = deed[: len(head)].casefold() == head and deed[end:].casefold() == tail
        return deed[len(head) : end].strip() if is_so else ""


class Ends:
    """The ends that plans of many wordings have, as the data files tell them."""

    def __init__(self, files: DataFiles, topics_of: Callable[[str], frozenset[str]]) -> None:
        """Read `ends.txt` and `joiners.txt`; `topics_of` says what a text is about.

        Raises:
            OSError, ValueError: ours can't be read.
        """
        self._topics_of = lru_cache(maxsize=8)(topics_of)
        # What asks for most is tried first, and of two that ask for as much what was read last.
        rules = list(_rules(files))[::-1]
        rules.sort(key=lambda rule: rule.weight, reverse=True)
        at_an_end = [rule for rule in rules if rule.is_of_deeds]
        self._openings = [rule for rule in at_an_end if rule.end == _REST]
        self._of_deeds = [rule for rule in at_an_end if rule.end != _REST]
        self._others = [rule for rule in rules if not rule.is_of_deeds]
        self._words: Phrases[str] = Phrases()
        for rule in self._others:
            self._words.add(rule.wording, rule.wording)
        self._wordings = {rule.wording for rule in self._of_deeds}
        joiners = (word for text in files.texts("joiners.txt") for word in split_entries(text))
        self._joint = _joint(joiners)

    def end_of(self, plan: str) -> str:
        """Return what is there once `plan` has been carried out.

        Numbers, names and all else in it stay as they are, unless it is very long.
        """
        plan = unicodedata.normalize("NFC", plan)
        plan = self._without_openings(plan.strip(_AROUND) or plan)
        return ". ".join(self._end(deed) for deed in self._deeds(plan))

    def _end(self, deed: str) -> str:
        for rule in self._rules_for(deed):
            rest = rule.rest_of(deed)
            if rest and (not rule.topics or rule.topics & self._topics_of(rest)):
                return rule.end.replace(_REST, _cut(rest))
        return deed

    def _rules_for(self, deed: str) -> Iterator[_Rule]:
        yield from self._of_deeds
        said = {wording for _, wording in self._words.found_in(deed)}
        yield from (rule for rule in self._others if rule.wording in {_REST, *said})

    def _without_openings(self, plan: str) -> str:
        while rest := _first_rest(self._openings, plan):
            plan = rest
        return plan

    def _deeds(self, plan: str) -> list[str]:
        """Cut `plan` where one deed with an end of its own is joined to another."""
        first, *more = self._joint.split(plan, maxsplit=_MAX_JOINTS)
        deeds = [first]
        for joint, piece in zip(more[::2], more[1::2], strict=True):
            if self._is_deed(piece) and f"{deeds[-1].casefold()} {_REST}" in self._wordings:
                deeds[-1] = piece  # "read and summarise chapter 2"
            elif self._is_deed(piece) and self._is_deed(deeds[-1]):
                deeds.append(piece)
            elif not (f"{_REST} {piece.casefold()}" in self._wordings and self._is_deed(deeds[-1])):
                deeds[-1] += joint + piece  # but not of "Bericht schreiben und abschicken"
        return deeds

    def _is_deed(self, text: str) -> bool:
        return bool(_first_rest(self._of_deeds, text))


def _rules(files: DataFiles) -> Iterator[_Rule]:
    for text in files.texts("ends.txt"):
        wordings, _, end = text.replace("...", _REST).partition(":")
        if not end.strip() or not wordings.strip():
            _log.warning("ends.txt: a line without words, a colon and an end: %s", one_line(text))
            continue
        for wording in split_entries(unicodedata.normalize("NFC", wordings).casefold()):
            words, _, topics = wording.partition("[")
            yield _Rule(words.strip(), frozenset(topics.rstrip("] ").split()), end.strip())


def _joint(words: Iterator[str]) -> re.Pattern[str]:
    """Return what matches between two deeds, in one group: a comma, one of `words`, or both."""
    known = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(\s*[,;\u3001\uff0c\uff1b]\s*(?:(?:{known})\s+)?|\s+(?:{known})\s+)", re.I)


def _first_rest(rules: list[_Rule], text: str) -> str:
    return next(filter(None, (rule.rest_of(text) for rule in rules)), "")


def _cut(rest: str) -> str:
    return rest if len(rest) <= _MAX_REST_CHARS else rest[: _MAX_REST_CHARS - 1].rstrip() + _REST
