"""Half a minute of everything at once: nothing grows, nothing is left, nothing is logged twice."""

from pathlib import Path

import pytest

from tests.faults.process.soak import Soak
from tests.faults.table import Fault, Tell, control

SECS = 30.0
"""The campaign takes an hour."""


@pytest.mark.timeout(240)
async def test_half_a_minute_of_everything_leaves_nothing_behind(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await Soak(secs=SECS, display_secs=SECS / 4, growth_kib=4096).run(tmp_path)
    # The control: the same figures, of a daemon that holds a MiB more at each look.
    leaking = Soak(secs=SECS, display_secs=SECS / 4, growth_kib=4096)
    samples = [(float(number), 40_000 + 1024 * number, 10) for number in range(30)]
    caught = type(found)()
    leaking._look(samples, caught)
    told = control(is_caught=bool(caught.wrong))
    tell_fault(Fault("F51", "soak", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"
