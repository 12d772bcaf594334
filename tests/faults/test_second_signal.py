"""A second signal, such as an impatient Ctrl-C: the end that has begun is not cut short."""

from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM, Signals

import pytest

from tests.daemons import open_daemon


@pytest.mark.parametrize("second", [SIGHUP, SIGINT, SIGTERM])
@pytest.mark.parametrize("first", [SIGHUP, SIGINT, SIGTERM])
async def test_it_still_ends_cleanly(tmp_path: Path, first: Signals, second: Signals) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("plan", intent="read")
        assert daemon.process
        daemon.process.send_signal(first)
        daemon.process.send_signal(second)

        assert await daemon.wait() == 0
        assert "Traceback" not in daemon.log
        assert not daemon.home.socket.exists()
        await daemon.start()
        assert (await daemon.request("state"))["intent"] == "read"
