"""A snapshot store in memory, whose disk can be slow or refuse."""

import trio

from antidriftd.adapters.store.port import Loaded, StoreError
from antidriftd.core.restore import Saved


class FakeSnapshotStore:
    """Keeps every snapshot, in order."""

    def __init__(self) -> None:
        self.saves: list[Saved] = []
        self.begun = 0
        """How many saves were begun, whatever became of them."""
        self.trouble = ""
        """Why the disk refuses; empty when it doesn't."""
        self.delay_secs = 0.0
        self._answers = trio.Event()
        self._answers.set()

    def hang(self) -> None:
        """Have saves wait until `resume`."""
        self._answers = trio.Event()

    def resume(self) -> None:
        """Have the saves that wait go on."""
        self._answers.set()

    async def load(self) -> Loaded:
        """Return the last snapshot."""
        await trio.lowlevel.checkpoint()
        return Loaded(self.saves[-1] if self.saves else None)

    async def save(self, saved: Saved) -> None:
        """Keep `saved`.

        Raises:
            StoreError: the disk refuses.
        """
        self.begun += 1
        await trio.sleep(self.delay_secs)
        await self._answers.wait()
        if self.trouble:
            raise StoreError(self.trouble)
        self.saves.append(saved)
