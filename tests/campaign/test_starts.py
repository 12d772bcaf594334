"""Many daemons started at once, for as many rounds as a release is worth."""

from pathlib import Path

import pytest

from tests.faults.forks import Forks
from tests.faults.table import Fault, Tell
from tests.faults.test_one_daemon import AT_ONCE, start_in_rounds

ROUNDS = 20


@pytest.mark.timeout(1200)
async def test_of_thirty_that_start_at_once_exactly_one_wins(
    tmp_path: Path, forks: Forks, tell_fault: Tell
) -> None:
    found = await start_in_rounds(forks, tmp_path, ROUNDS)
    tell_fault(Fault("F12", AT_ONCE, found.runs, len(found.wrong)))

    assert found.wrong == []
