"""The built-in judge with a sentence model beside what it knows; without the model it goes on."""

import logging
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import trio

from antidriftd.adapters.advisor.local.judge import LocalDriftJudge
from antidriftd.adapters.advisor.local.later import LaterDriftJudge
from antidriftd.adapters.advisor.local.reasons import reason_for
from antidriftd.adapters.advisor.local.weights import Learnt, load_weights
from antidriftd.adapters.advisor.port import Assessment
from antidriftd.adapters.advisor.semantic.encoder import Encoder, EncoderError
from antidriftd.adapters.advisor.semantic.similarities import is_english, similarities
from antidriftd.adapters.advisor.semantic.word_pieces import VOCABULARY, WordPieces
from antidriftd.core.model import Commitment, Verdict, Window

SEMANTIC_DATA = Path(__file__).parents[3] / "data" / "semantic"

_log = logging.getLogger(__name__)


class SemanticDriftJudge:
    """Judges English by more features than the local judge, and all else as that does."""

    name = "semantic"
    free = True

    def __init__(
        self,
        local: LocalDriftJudge | LaterDriftJudge,
        encoder: Encoder,
        learnt: Learnt | None = None,
    ) -> None:
        """Take whom it builds on; `learnt` stands in for the packaged weights."""
        self._local = local
        self._encoder = encoder
        self._given = learnt
        self._was_without = False

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces(VOCABULARY)

    @cached_property
    def _learnt(self) -> Learnt:
        return self._given or load_weights(SEMANTIC_DATA / "weights.json")

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return the empty text: nothing is sent to anybody."""
        del commitment, window
        return ""

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`; never fails."""
        assessed = (await self.weigh(commitment, window))(0.0)
        return Verdict(assessed.on_task, assessed.reason)

    async def weigh(self, commitment: Commitment, window: Window) -> Callable[[float], Assessment]:
        """Return the assessment by what else is known; see `Assessor.weigh`."""
        await self._local.prepare()
        if "_pieces" not in self.__dict__:  # thirty thousand lines
            await trio.to_thread.run_sync(lambda: self._pieces)
        sight, found = self._local.compare(commitment, window)
        if not is_english(sight, commitment, self._pieces):
            return await self._local.weigh(commitment, window)
        try:
            near = await similarities(sight, found.features, commitment, self._encoder)
        except EncoderError as error:
            self._say_once(str(error))
            return await self._local.weigh(commitment, window)
        self._was_without = False
        features = {**found.features, **near}

        def assess(evidence: float) -> Assessment:
            score = self._learnt.score(features, evidence)
            on_task = None if found.is_quiet else self._learnt.decide(score)
            return Assessment(score, on_task, reason_for(on_task, sight, found, commitment))

        return assess

    def _say_once(self, why: str) -> None:
        if not self._was_without:
            _log.warning("judging as the backend local does, without the sentence model: %s", why)
        self._was_without = True
