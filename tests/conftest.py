"""What holds for every test."""

import signal
from collections.abc import Iterator

import pytest

collect_ignore = ["campaign"]  # only `pytest tests/campaign` runs it


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> Iterator[None]:
    """Let programs that the tests start hear Ctrl-C, wherever the tests themselves run.

    A shell starts its background jobs with SIGINT ignored, and that is inherited (POSIX, "Signals
    and Error Handling" of the shell's language).
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
