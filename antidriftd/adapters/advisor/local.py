"""The built-in advisor: it judges by known distractions and shared words, and tidies an intent."""

import re
from collections.abc import Iterable
from pathlib import Path

import trio

from antidriftd.adapters.advisor.durations import find_duration
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.replies import MAX_PROPOSAL_CHARS, cleaned
from antidriftd.core.model import Commitment, Proposal, Verdict, Window
from protocol.visible import one_line

_TIMEBOX_SECS = 25 * 60

# What stands between the parts of a title: the page's name, the site's, the browser's.
_SEPARATOR = re.compile(r" [-\u2013\u2014/] | ?: | ?[|\u00b7\u2022] ?")
_COUNTER = re.compile(r"^[(\[]\d+\+?[)\]]\s*")
_WORD = re.compile(r"[^\W\d_][^\W_]{2,}")


def local_drift_judge() -> "LocalDriftJudge":
    """Return the built-in judge with its packaged data, read here, once."""
    words = (word for line in _data_lines("stop_words.txt") for word in line.split())
    return LocalDriftJudge(_data_lines("distractions.txt"), words)


def local_coach() -> "LocalCoach":
    """Return the built-in coach."""
    return LocalCoach()


def _data_lines(name: str) -> list[str]:
    """Return the lines of a data file beside this module that are neither blank nor a comment."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class LocalDriftJudge:
    """Judges by itself: no network, no program, the same answer to the same question."""

    name = "local"
    free = True

    def __init__(self, distractions: Iterable[str], stop_words: Iterable[str]) -> None:
        """Take the known distractions, written as in distractions.txt, and words to disregard."""
        self._stop_words = frozenset(stop_words)
        self._anywhere: dict[str, str] = {}
        self._whole: dict[str, str] = {}
        self._beginnings: tuple[str, ...] = ()
        for entry in distractions:
            if entry.startswith("= "):
                name = entry.removeprefix("= ")
                self._whole[name.casefold()] = name
            elif entry.endswith("*"):
                self._beginnings += (entry.removesuffix("*").casefold(),)
            else:
                self._anywhere[entry.casefold()] = entry
        names = "|".join(map(re.escape, self._anywhere)) or "(?!)"
        self._pattern = re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])")

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return the empty text: nothing is sent to anybody."""
        del commitment, window
        return ""

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`; never fails."""
        await trio.lowlevel.checkpoint()
        plan = self._words(f"{commitment.next_action} {commitment.success_condition}")
        if shared := [word for stem, word in self._words(window.title).items() if stem in plan]:
            return Verdict(True, f"“{shared[0]}” is in the plan")
        if name := self._distraction(window):
            return Verdict(False, f"{name}, and no word in common with the plan")
        return Verdict(None, "neither a known distraction nor a word in common with the plan")

    def _distraction(self, window: Window) -> str:
        """Return the distraction that the window shows, as a person would say it; "" if none."""
        for part in _parts(window):
            folded = part.casefold()
            if name := self._whole.get(folded):
                return name
            if folded.startswith(self._beginnings):
                return one_line(part)
        match = self._pattern.search(f"{window.title}\n{window.window_class}".casefold())
        return self._anywhere[match[0]] if match else ""

    def _words(self, text: str) -> dict[str, str]:
        """Return the words that mean something: casefolded, without a plural's s, to themselves."""
        words = {word.casefold(): word for word in _WORD.findall(text)}
        return {
            folded.removesuffix("s"): word
            for folded, word in words.items()
            if folded not in self._stop_words
        }


class LocalCoach:
    """Makes a contract of the intent's own words: no network, no program, nothing made up."""

    name = "local"

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return the intent as a next action, for the time that it names or else 25 minutes.

        The profile is of no use to it.

        Raises:
            AdvisorError: the intent is blank.
        """
        del grounding
        await trio.lowlevel.checkpoint()
        text = cleaned(intent, len(intent))
        secs, rest = find_duration(text) or (_TIMEBOX_SECS, text)
        action = _as_sentence(rest or text)[:MAX_PROPOSAL_CHARS].rstrip()
        if not action:
            raise AdvisorError("there is no intent to make a contract of")
        return Proposal(action, f"You can show the result of: {action}"[:MAX_PROPOSAL_CHARS], secs)


def _as_sentence(text: str) -> str:
    """Return `text` with a capital first letter, unless its first word has its own spelling."""
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def _parts(window: Window) -> list[str]:
    title = _COUNTER.sub("", " ".join(window.title.split()))
    return [window.window_class, *_SEPARATOR.split(title)]
