"""The built-in judge: compares a window with the commitment by what it knows of both."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property, lru_cache, partial
from pathlib import Path

import trio

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.features import Compared, compare
from antidriftd.adapters.advisor.local.knowledge import Knowledge, load_knowledge
from antidriftd.adapters.advisor.local.plan import Plan, commitment_topics, read_plan
from antidriftd.adapters.advisor.local.reasons import reason_for
from antidriftd.adapters.advisor.local.sight import Sight, see
from antidriftd.adapters.advisor.local.weights import Learnt, load_weights
from antidriftd.adapters.advisor.port import Assessment
from antidriftd.core.model import Commitment, Verdict, Window

_DATA = Path(__file__).parents[3] / "data"
JUDGE_DATA = _DATA / "judge"


def packaged_many_faced() -> Iterator[str]:
    """Return the lines that `drift.many_faced` has by default."""
    return DataFiles(_DATA).texts("many_faced.txt")


def local_drift_judge(
    config_dir: Path | None = None, many_faced: Collection[str] | None = None
) -> "LocalDriftJudge":
    """Return the built-in judge; its data is read when it is first asked.

    Files in `config_dir` add to the packaged ones of the same name; `many_faced` are the lines of
    `drift.many_faced`, and by default the packaged ones.
    """
    return LocalDriftJudge(DataFiles(JUDGE_DATA, config_dir), many_faced=many_faced)


class LocalDriftJudge:
    """Judges by itself: no network, no program, the same answer to the same question."""

    name = "local"
    free = True

    def __init__(
        self,
        files: DataFiles,
        learnt: Learnt | None = None,
        many_faced: Collection[str] | None = None,
    ) -> None:
        """Take where its data is; `learnt` and `many_faced` stand in for what is packaged."""
        self._files = files
        self._given = learnt
        self._many_faced = many_faced
        self._plan = lru_cache(maxsize=8)(self._read_plan)

    @cached_property
    def _knowledge(self) -> Knowledge:
        given = self._many_faced
        return load_knowledge(self._files, packaged_many_faced() if given is None else given)

    @cached_property
    def _learnt(self) -> Learnt:
        return self._given or load_weights(self._files.own / "weights.json")

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return the empty text: nothing is sent to anybody."""
        del commitment, window
        return ""

    def load(self) -> None:
        """Read the data now, rather than when it is first asked."""
        _ = self._knowledge, self._learnt

    async def prepare(self) -> None:
        """Have the data read, in a thread: that takes some tenths of a second."""
        if "_learnt" in self.__dict__:
            await trio.lowlevel.checkpoint()
        else:
            await trio.to_thread.run_sync(self.load)

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`; never fails."""
        assessed = (await self.weigh(commitment, window))(0.0)
        return Verdict(assessed.on_task, assessed.reason)

    async def weigh(self, commitment: Commitment, window: Window) -> Callable[[float], Assessment]:
        """Return the assessment by what else is known; see `Assessor.weigh`."""
        await self.prepare()
        return partial(self.assess, commitment, window)

    def assess(self, commitment: Commitment, window: Window, evidence: float = 0.0) -> Assessment:
        """Return the verdict on `window` with its score.

        `evidence` is what else is known, as the logarithm of odds: above 0 it speaks for drift.
        """
        sight, found = self.compare(commitment, window)
        score = self._learnt.score(found.features, evidence)
        on_task = None if found.is_quiet else self._learnt.decide(score)
        return Assessment(score, on_task, reason_for(on_task, sight, found, commitment))

    def score(self, commitment: Commitment, window: Window) -> float:
        """Return how likely drift is, from 0 to 1."""
        return self.assess(commitment, window).score

    def compare(self, commitment: Commitment, window: Window) -> tuple[Sight, Compared]:
        """Return what is seen of the window, and how it stands beside the commitment."""
        sight = see(window, self._knowledge)
        return sight, compare(sight, self._plan(commitment), self._knowledge)

    def topics(self, commitment: Commitment) -> dict[str, float]:
        """Return what the commitment is about, by how much."""
        return commitment_topics(commitment, self._knowledge)

    def _read_plan(self, commitment: Commitment) -> Plan:
        return read_plan(commitment, self._knowledge)
