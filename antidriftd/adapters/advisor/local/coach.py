"""The built-in coach: makes a contract of the intent's own words."""

import trio

from antidriftd.adapters.advisor.durations import find_duration
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.replies import MAX_PROPOSAL_CHARS, cleaned
from antidriftd.core.model import Proposal

_TIMEBOX_SECS = 25 * 60


def local_coach() -> "LocalCoach":
    """Return the built-in coach."""
    return LocalCoach()


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
