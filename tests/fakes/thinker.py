"""What all fakes share that are asked and answer when the test says so."""

import trio


class Thinker:
    """Answers at once, unless it was told to think."""

    def __init__(self) -> None:
        self.voided = 0
        """How many of its questions were cancelled."""
        self._has_thought = trio.Event()
        self._has_thought.set()

    def think(self) -> None:
        """Have questions wait until `conclude`."""
        self._has_thought = trio.Event()

    def conclude(self) -> None:
        """Have the questions that wait answered."""
        self._has_thought.set()

    async def wait_thought(self) -> None:
        """Wait until the thinking is done."""
        try:
            await self._has_thought.wait()
        except trio.Cancelled:
            self.voided += 1
            raise
