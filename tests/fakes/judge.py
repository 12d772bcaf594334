"""A judge that answers when the test says so."""

from collections.abc import Callable

import trio

from antidriftd.core.model import Commitment, Verdict, Window
from tests.fakes.thinker import Thinker


class FakeDriftJudge(Thinker):
    """Answers every question with `answer()`, which may also raise, once it isn't thinking."""

    name = "fake"

    def __init__(self, answer: Callable[[], Verdict] | None = None, *, free: bool = False) -> None:
        super().__init__()
        self.free = free
        self.answer = answer or (lambda: Verdict(on_task=False, reason="off task"))
        self.asked: list[Window] = []
        self.cancelled: list[Window] = []

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return a text that names what would be judged."""
        return f"{commitment.next_action}: {window.window_class}, {window.title}"

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`."""
        del commitment
        self.asked.append(window)
        try:
            await self.wait_thought()
        except trio.Cancelled:
            self.cancelled.append(window)
            raise
        return self.answer()
