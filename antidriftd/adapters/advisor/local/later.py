"""The built-in judge and coach, whose code is loaded when they are first asked.

On a day spent in programs that are allowed nobody is asked, and nothing lies in memory for it.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from antidriftd.adapters.advisor.port import Assessment
from antidriftd.core.model import Commitment, Proposal, Window

if TYPE_CHECKING:
    from antidriftd.adapters.advisor.local.coach import LocalCoach
    from antidriftd.adapters.advisor.local.features import Compared
    from antidriftd.adapters.advisor.local.judge import LocalDriftJudge
    from antidriftd.adapters.advisor.local.sight import Sight


class LaterDriftJudge:
    """The built-in judge; its code and its data are read when it is first asked."""

    name = "local"

    def __init__(self, config_dir: Path, many_faced: Collection[str] | None = None) -> None:
        """Take what `local_drift_judge` takes."""
        self._config_dir = config_dir
        self._many_faced = many_faced

    @cached_property
    def _judge(self) -> "LocalDriftJudge":
        from antidriftd.adapters.advisor.local.judge import local_drift_judge

        judge = local_drift_judge(self._config_dir, self._many_faced)
        judge.load()
        return judge

    async def prepare(self) -> None:
        """Have it read, in a thread: that takes some tenths of a second."""
        if "_judge" in self.__dict__:
            await trio.lowlevel.checkpoint()
        else:
            await trio.to_thread.run_sync(lambda: self._judge)

    async def weigh(self, commitment: Commitment, window: Window) -> Callable[[float], Assessment]:
        """Return the assessment by what else is known; see `Assessor.weigh`."""
        await self.prepare()
        return await self._judge.weigh(commitment, window)

    def compare(self, commitment: Commitment, window: Window) -> "tuple[Sight, Compared]":
        """Return how the window stands beside the commitment; see `LocalDriftJudge.compare`."""
        return self._judge.compare(commitment, window)

    def topics(self, commitment: Commitment) -> Mapping[str, float]:
        """Return what the commitment is about, by how much."""
        return self._judge.topics(commitment)


class LaterCoach:
    """The built-in coach; its code is read when it is asked."""

    name = "local"

    def __init__(self, judge: LaterDriftJudge, config_dir: Path | None = None) -> None:
        """Take who says what a plan is about, and where the user's files lie that add to ours."""
        self._judge = judge
        self._config_dir = config_dir

    @cached_property
    def _coach(self) -> "LocalCoach":
        from antidriftd.adapters.advisor.local.coach import local_coach

        return local_coach(self._judge.topics, self._config_dir)

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return a proposal; see `LocalCoach.coach`."""
        await self._judge.prepare()
        return await self._coach.coach(intent, grounding)
