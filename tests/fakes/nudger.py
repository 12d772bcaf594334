"""A nudger that answers when the test says so."""

from collections.abc import Callable

from antidriftd.core.model import Commitment, Digest
from tests.fakes.thinker import Thinker


class FakeNudger(Thinker):
    """Answers every question with `answer()`, which may also raise, once it isn't thinking."""

    def __init__(self, answer: Callable[[], str] = lambda: "keep going") -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[Digest] = []

    async def nudge(self, commitment: Commitment, digest: Digest) -> str:
        """Return the line."""
        del commitment
        self.asked.append(digest)
        await self.wait_thought()
        return self.answer()
