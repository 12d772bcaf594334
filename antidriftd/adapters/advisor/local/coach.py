"""The built-in coach: makes a contract of the intent's own words."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

import trio

from antidriftd.adapters.advisor.durations import find_duration
from antidriftd.adapters.advisor.local.ends import Ends
from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.replies import MAX_PROPOSAL_CHARS, cleaned
from antidriftd.core.model import Commitment, Proposal

COACH_DATA = Path(__file__).parents[3] / "data" / "coach"
_TIMEBOX_SECS = 25 * 60


def local_coach(
    topics: Callable[[Commitment], Mapping[str, float]], config_dir: Path | None = None
) -> "LocalCoach":
    """Return the built-in coach; its data is read when it is first asked.

    `topics` says what a commitment is about. Files in `config_dir` add to the packaged ones of the
    same name.
    """
    return LocalCoach(topics, DataFiles(COACH_DATA, config_dir))


class LocalCoach:
    """Makes a contract of the intent's own words: no network, no program, nothing made up."""

    name = "local"

    def __init__(
        self, topics: Callable[[Commitment], Mapping[str, float]], files: DataFiles
    ) -> None:
        self._topics = topics
        self._files = files

    @cached_property
    def _ends(self) -> Ends:
        return Ends(self._files, self._main_topics)

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return the intent as a next action with its end, in the time it names or 25 minutes.

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
        end = self._ends.end_of(rest or text)
        return Proposal(action, _as_sentence(end)[:MAX_PROPOSAL_CHARS].rstrip(), secs)

    def _main_topics(self, text: str) -> frozenset[str]:
        found = self._topics(Commitment(text, "", _TIMEBOX_SECS))
        most = max(found.values(), default=0.0)
        return frozenset(topic for topic, weight in found.items() if weight == most)


def _as_sentence(text: str) -> str:
    """Return `text` with a capital first letter, unless its first word has its own spelling."""
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
