"""An hour of everything at once: what a minute can't show grows, if it grows."""

from pathlib import Path

import pytest

from tests.faults.process.soak import Soak

HOUR_SECS = 3600


@pytest.mark.timeout(HOUR_SECS + 600)
async def test_an_hour_of_everything_leaves_nothing_behind(tmp_path: Path) -> None:
    soak = Soak(secs=HOUR_SECS, display_secs=300, growth_kib=1024)

    assert (await soak.run(tmp_path)).wrong == []
