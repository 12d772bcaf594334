"""Many daemons started at once, for as many rounds as a release is worth."""

from pathlib import Path

import pytest

from tests.faults.findings import Findings
from tests.faults.forks import open_forks
from tests.faults.table import Fault, Tell
from tests.faults.test_one_daemon import AT_ONCE, start_at_once

ROUNDS = 20


@pytest.mark.timeout(1200)
async def test_of_thirty_that_start_at_once_exactly_one_wins(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = Findings()
    with open_forks() as forks:
        for number in range(ROUNDS):
            (tmp_path / f"{number}").mkdir()
            await start_at_once(forks, tmp_path / f"{number}", found)
    tell_fault(Fault("F12", AT_ONCE, found.runs, len(found.wrong)))

    assert found.wrong == []
