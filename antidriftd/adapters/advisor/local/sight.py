"""Reads a window: what kind of thing it shows, and the words that tell what it is about."""

import re
from dataclasses import dataclass

from antidriftd.adapters.advisor.local.folding import fold
from antidriftd.adapters.advisor.local.injections import without_injections
from antidriftd.adapters.advisor.local.knowledge import Kind, Knowledge, Named
from antidriftd.adapters.advisor.local.phrases import tokens_of
from antidriftd.core.model import Window

_SEPARATOR = re.compile(
    r"\s+[-\u2013\u2014/|\u00b7\u2022]\s+|\s*[|\u00b7\u2022]\s+|\s+:\s+|\s+at\s+(?=DuckDuckGo)"
)
_COUNTER = re.compile(
    r"[(\[]\d{1,4}\+?[)\]]|^\d{1,3}%|[\u2800-\u28ff\u25cf\u2731-\u273f*]+(?=\s|$)"
)
_SPACE = re.compile(r"\s+")
_MAX_CHARS = 600
_EPISODE = re.compile(r"\bs\d{1,2} ?e\d{1,3}\b|\b\d{1,2}x\d{2}\b", re.IGNORECASE)
_COMMAND = re.compile(r"[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Sight:
    """What can be seen of a window."""

    kind: Kind
    name: str
    """The site's or program's name, maybe empty."""
    is_sure: bool
    """Whether its kind is known by the program, or by a name that is a whole part of the title."""
    topics: frozenset[str]
    """What the site or program itself is about."""
    content: str
    """The title without names, decoration and what addresses a judge."""
    cues: tuple[tuple[str, Kind], ...]


def see(window: Window, knowledge: Knowledge) -> Sight:
    """Return what the window shows."""
    title = _SPACE.sub(" ", window.title[:_MAX_CHARS])
    title = _COUNTER.sub(" ", without_injections(title, knowledge.injections))
    parts = [
        part for raw in _SEPARATOR.split(title) if (part := raw.strip(" -\u2013\u2014|:\u00b7"))
    ]
    program = _program(window, knowledge)
    shown = [part for part in parts if not _is_noise(part, window, knowledge)]
    named, is_sure = _what(program, shown, knowledge)
    content = [part for part in shown if not (named and is_sure and _is_name(part, knowledge))]
    text = " \u2014 ".join(content)
    kind = named.kind if named else _unnamed(program, knowledge)
    return Sight(
        kind=kind,
        name=named.name if named else "",
        is_sure=is_sure,
        topics=named.topics if named else frozenset(),
        content=text,
        cues=(*_episode(text, knowledge), *knowledge.cues.found_in(text)),
    )


def _unnamed(program: Named | None, knowledge: Knowledge) -> Kind:
    return program.kind if program else knowledge.kinds["unknown"]


def _episode(text: str, knowledge: Knowledge) -> tuple[tuple[str, Kind], ...]:
    """Return the cue that lies in how episodes of a series are numbered: S02E05."""
    found = _EPISODE.search(text)
    return ((found[0], knowledge.kinds["series"]),) if found else ()


def _program(window: Window, knowledge: Knowledge) -> Named | None:
    for text in (window.window_class, window.instance):
        folded = fold(text.strip())
        if not folded:
            continue
        if named := knowledge.programs.get(folded):
            return named
        for beginning, named in knowledge.program_beginnings:
            if folded.startswith(beginning):
                return named
    return None


def _what(
    program: Named | None, parts: list[str], knowledge: Knowledge
) -> tuple[Named | None, bool]:
    """Return what is shown, and whether that is sure."""
    if program is None or program.kind.family == "page":
        site, is_sure = _site(parts, knowledge)
        return (site, is_sure) if site else (None, False)
    if program.kind.family == "terminal" and (inside := _command(parts, knowledge)):
        return inside, True
    return program, True


def _site(parts: list[str], knowledge: Knowledge) -> tuple[Named | None, bool]:
    for part in reversed(parts):
        if named := knowledge.whole_parts.get(fold(part)):
            return named, True
    for part in parts:
        folded = fold(part)
        for beginning, named in knowledge.beginnings:
            if folded.startswith(beginning):
                return named, True
    for part in reversed(parts):
        if found := list(knowledge.sites.found_in(part)):
            phrase, named = found[-1]
            is_most = 2 * len(phrase.split()) >= len(tokens_of(part))
            return named, is_most and part is parts[-1]
    return None, False


def _command(parts: list[str], knowledge: Knowledge) -> Named | None:
    """Return the program that a terminal runs, when its title begins with a name that is known."""
    for part in parts[:2]:
        if (word := _COMMAND.match(part)) and (named := knowledge.programs.get(fold(word[0]))):
            return named if named.kind.family != "terminal" else None
    return None


def _is_noise(part: str, window: Window, knowledge: Knowledge) -> bool:
    folded = fold(part)
    if folded in knowledge.whole_parts:
        return False  # a program of its own, and a site in a browser: Discord
    return folded in knowledge.own_names or folded == fold(window.window_class)


def _is_name(part: str, knowledge: Knowledge) -> bool:
    return fold(part) in knowledge.whole_parts
