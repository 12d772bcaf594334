"""A coach, a task list and a profile that answer when the test says so."""

from collections.abc import Callable

from antidriftd.core.model import Profile, Proposal, Task
from tests.fakes.thinker import Thinker

OUTLINE = Proposal("write the outline", "five headings", 1800, ("code",))
TASKS = (Task("a1", "call the bank", "todo"), Task("b2", "water the flowers", "todo"))


class FakeCoach(Thinker):
    """Answers every question with `answer()`, which may also raise, once it isn't thinking."""

    name = "fake"

    def __init__(self, answer: Callable[[], Proposal] = lambda: OUTLINE) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[tuple[str, str]] = []
        """The intents, each with the profile that grounds it."""

    async def coach(self, intent: str, grounding: str) -> Proposal:
        """Return a proposal for `intent`."""
        self.asked.append((intent, grounding))
        await self.wait_thought()
        return self.answer()


class FakeTaskSource(Thinker):
    """Answers every fetch with `answer()`, which may also raise, once it isn't thinking."""

    def __init__(self, answer: Callable[[], tuple[Task, ...]] = lambda: TASKS) -> None:
        super().__init__()
        self.answer = answer
        self.fetches = 0

    async def fetch(self) -> tuple[Task, ...]:
        """Return today's tasks."""
        self.fetches += 1
        await self.wait_thought()
        return self.answer()


class FakeKnowledgeSource(Thinker):
    """Answers every load with `answer(path)`, which may also raise, once it isn't thinking."""

    default_path = "/home/me/.antidrift/knowledge.md"

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.answer: Callable[[str], Profile] = lambda path: Profile(text, path)
        self.loaded: list[str] = []

    async def load(self, path: str) -> Profile:
        """Return the profile at `path`."""
        self.loaded.append(path)
        await self.wait_thought()
        return self.answer(path or self.default_path)
