"""The built-in advisor with experience: the person's earlier answers are a hint to it."""

from dataclasses import replace

from antidriftd.adapters.advisor.port import Coach, DriftJudge, Experience
from antidriftd.core.model import Commitment, Proposal, Verdict, Window


class ExperiencedDriftJudge:
    """A judge whose doubt the person's earlier answers can settle; what is clear to it stands."""

    def __init__(self, judge: DriftJudge, experience: Experience) -> None:
        self._judge = judge
        self._experience = experience

    @property
    def name(self) -> str:
        """The judge's own."""
        return self._judge.name

    @property
    def free(self) -> bool:
        """Whether the judge is."""
        return self._judge.free

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return what the judge would send; what was learned is sent to nobody."""
        return self._judge.text_for(commitment, window)

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`.

        Raises:
            AdvisorError: as the judge does.
        """
        verdict = await self._judge.judge(commitment, window)
        hint = self._experience.hint(commitment, window)
        if hint is None or verdict.on_task is not None:
            return verdict
        return Verdict(hint.on_task, hint.reason)


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
        """Return the coach's proposal, with these classes in place of its own.

        Raises:
            AdvisorError: as the coach does.
        """
        proposal = await self._coach.coach(intent, grounding)
        commitment = Commitment(
            proposal.next_action, proposal.success_condition, proposal.timebox_secs
        )
        classes = self._experience.usual_classes(commitment)
        return replace(proposal, allowed_window_classes=classes) if classes else proposal
