"""What the built-in judge knows of the world, read from its data files when it is first asked."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from antidriftd.adapters.advisor.local.entries import DataFiles, split_entries
from antidriftd.adapters.advisor.local.folding import fold
from antidriftd.adapters.advisor.local.injections import compile_injections
from antidriftd.adapters.advisor.local.phrases import Phrases
from antidriftd.adapters.advisor.local.subjects import Subjects
from antidriftd.adapters.advisor.local.vectors import WordVectors
from protocol.visible import one_line

_log = logging.getLogger(__name__)

NOTHING: Final = "none"
"""The kind by which a user's file removes a name."""

Lines = Sequence[tuple[str, list[str]]]
"""A name with its words, and so on."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page or program."""

    name: str
    called: str
    """As a person says it: "a shop"."""
    family: str
    topics: frozenset[str]


@dataclass(frozen=True, slots=True)
class Named:
    """What a site or a program is: its kind, its name as written, and what it is about."""

    kind: Kind
    name: str
    topics: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """All of it; nothing in it changes."""

    kinds: dict[str, Kind]
    sites: Phrases[Named]
    whole_parts: dict[str, Named]
    beginnings: tuple[tuple[str, Named], ...]
    programs: dict[str, Named]
    program_beginnings: tuple[tuple[str, Named], ...]
    cues: Phrases[Kind]
    topics: Phrases[frozenset[str]]
    contacts: Phrases[bool]
    own_names: frozenset[str]
    stop_words: frozenset[str]
    endings: frozenset[str]
    """Of words, folded; the empty one among them."""
    injections: re.Pattern[str]
    vectors: WordVectors
    subjects: Subjects


def load_knowledge(files: DataFiles, many_faced: Iterable[str]) -> Knowledge:
    """Return what the data files say; `many_faced` are lines as in many_faced.txt.

    Raises:
        OSError, ValueError: ours can't be read.
    """
    kinds = dict(_kinds(files))
    sites, whole_parts, beginnings = _sites(files, kinds)
    programs = dict(_programs(files, kinds))
    vectors = WordVectors(files.own / "words.txt")
    topics = [(line.name, split_entries(line.entries)) for line in files.lines("topics.txt")]
    stars = {name: named for name, named in programs.items() if name.endswith("*")}
    return Knowledge(
        kinds=kinds,
        sites=sites,
        whole_parts=whole_parts,
        beginnings=beginnings,
        programs={name: named for name, named in programs.items() if name not in stars},
        program_beginnings=tuple((name[:-1], named) for name, named in stars.items()),
        cues=_cues(files, kinds),
        topics=_topics(topics),
        contacts=_contacts(files),
        own_names=frozenset(_own_names(files, many_faced)),
        stop_words=_words(files, "stop_words.txt"),
        endings=_words(files, "endings.txt") | {""},
        injections=compile_injections(files.texts("injections.txt")),
        vectors=vectors,
        subjects=_subjects(topics, vectors),
    )


def _kinds(files: DataFiles) -> Iterator[tuple[str, Kind]]:
    for line in files.lines("kinds.txt"):
        called, _, rest = line.entries.partition("|")
        family, _, topics = rest.partition(";")
        yield line.name, Kind(line.name, called.strip(), family.strip(), frozenset(topics.split()))


def _named(
    files: DataFiles, file: str, kinds: dict[str, Kind]
) -> Iterator[tuple[str, Named | None]]:
    """Yield each name of a file with what it is; None removes it."""
    for line in files.lines(file):
        kind = kinds.get(line.name)
        if kind is None and line.name != NOTHING:
            _log.warning("%s: no kind is called so: %s", file, one_line(line.name, 60))
            continue
        topics = frozenset(line.tags) | (kind.topics if kind else frozenset())
        for name in split_entries(line.entries):
            yield name, Named(kind, name.strip("=* "), topics) if kind else None


def _sites(
    files: DataFiles, kinds: dict[str, Kind]
) -> tuple[Phrases[Named], dict[str, Named], tuple[tuple[str, Named], ...]]:
    anywhere: Phrases[Named] = Phrases()
    whole: dict[str, Named] = {}
    beginnings: dict[str, Named] = {}
    for name, named in _named(files, "sites.txt", kinds):
        folded = fold(name.strip("=* "))
        if named is None:
            anywhere.discard(folded)
            whole.pop(folded, None)
            beginnings.pop(folded, None)
        elif name.endswith("*"):
            beginnings[folded] = named
        else:
            whole[folded] = named
            if not name.startswith("="):
                anywhere.add(folded, named)
    return anywhere, whole, tuple(beginnings.items())


def _programs(files: DataFiles, kinds: dict[str, Kind]) -> Iterator[tuple[str, Named]]:
    found: dict[str, Named] = {}
    for name, named in _named(files, "programs.txt", kinds):
        if named is None:
            found.pop(fold(name), None)
        else:
            found[fold(name)] = named
    yield from found.items()


def _cues(files: DataFiles, kinds: dict[str, Kind]) -> Phrases[Kind]:
    cues: Phrases[Kind] = Phrases()
    for name, named in _named(files, "cues.txt", kinds):
        if named is None:
            cues.discard(name)
        else:
            cues.add(name, named.kind)
    return cues


def _words(files: DataFiles, name: str) -> frozenset[str]:
    return frozenset(fold(word) for text in files.texts(name) for word in text.split())


def _contacts(files: DataFiles) -> Phrases[bool]:
    contacts: Phrases[bool] = Phrases()
    for text in files.texts("contacts.txt"):
        for word in split_entries(text):
            contacts.add(word, meaning=True)
    return contacts


def _topics(lines: Lines) -> Phrases[frozenset[str]]:
    topics: Phrases[frozenset[str]] = Phrases()
    for name, words in lines:
        for word in words:
            topics.add(word, (topics.get(word) or frozenset()) | {name})
    return topics


def _subjects(lines: Lines, vectors: WordVectors) -> Subjects:
    folded: dict[str, list[str]] = {}
    for name, words in lines:
        folded.setdefault(name, []).extend(map(fold, words))
    return Subjects(folded, vectors)


def _own_names(files: DataFiles, many_faced: Iterable[str]) -> Iterator[str]:
    for line in files.lines("own_names.txt"):
        yield from map(fold, split_entries(line.entries))
    for text in many_faced:
        yield from map(fold, split_entries(text.partition(":")[2]))
