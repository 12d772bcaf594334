"""The built-in advisor with experience: the person's earlier answers are a hint to it."""

from dataclasses import replace

from antidriftd.adapters.advisor.port import Assessment, Assessor, Coach, Experience
from antidriftd.core.learned import Hint
from antidriftd.core.model import Commitment, Proposal, Verdict, Window


class ExperiencedDriftJudge:
    """A judge whom earlier answers bring out of doubt, or into it, and never to the contrary."""

    free = True

    def __init__(self, judge: Assessor, experience: Experience) -> None:
        self._judge = judge
        self._experience = experience

    @property
    def name(self) -> str:
        """The judge's own."""
        return self._judge.name

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return the empty text: nothing is sent to anybody."""
        del commitment, window
        return ""

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`; never fails."""
        weighed = await self._judge.weigh(commitment, window)
        alone = weighed(0.0)
        hint = await self._experience.hint(commitment, window)
        if hint is None:
            return Verdict(alone.on_task, alone.reason)
        return _verdict(alone, weighed(hint.log_odds), hint)


def _verdict(alone: Assessment, tipped: Assessment, hint: Hint) -> Verdict:
    """Return the verdict of both; the reason tells of the hint, whatever came of it."""
    if alone.on_task is None and tipped.on_task is not None:
        return Verdict(tipped.on_task, hint.reason)
    on_task = alone.on_task if tipped.on_task == alone.on_task else None
    but = "but " if alone.on_task is (not hint.on_task) else ""
    return Verdict(on_task, f"{alone.reason}; {but}{hint.reason}")


class ExperiencedCoach:
    """A coach that proposes the window classes which the person used for such things before."""

    def __init__(self, coach: Coach, experience: Experience) -> None:
        self._coach = coach
        self._experience = experience

    @property
    def name(self) -> str:
        """The coach's own."""
        return self._coach.name

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return the coach's proposal, with these classes if it has none.

        Raises:
            AdvisorError: as the coach does.
        """
        proposal = await self._coach.coach(intent, grounding)
        if proposal.allowed_window_classes:
            return proposal
        commitment = Commitment(
            proposal.next_action, proposal.success_condition, proposal.timebox_secs
        )
        usual = await self._experience.usual_classes(commitment)
        return replace(proposal, allowed_window_classes=usual)
