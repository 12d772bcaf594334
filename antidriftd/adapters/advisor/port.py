"""The port to the advisor: who judges a window that no rule covers."""

from typing import Protocol

from antidriftd.core.model import Commitment, Verdict, Window


class AdvisorError(Exception):
    """The advisor gave no usable answer; the message is one line for a person to read."""


class DriftJudge(Protocol):
    """Judges whether a window serves a commitment."""

    @property
    def name(self) -> str:
        """The backend's name as the user writes it (`local`, `command`)."""

    @property
    def free(self) -> bool:
        """Whether a judgment costs nothing, so that no debounce and no budget is needed."""

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the verdict on `window`.

        Cancelling ends every process that the judgment started.

        Raises:
            AdvisorError: no answer of the right shape came in time.
        """
