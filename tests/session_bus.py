"""Private session buses for tests: a real dbus-daemon that starts nobody and knows nobody."""

import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from tests.x11 import START_SECS, read_line

_CONFIG = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class SessionBus:
    """A bus that can be ended and started again under the same address."""

    def __init__(self, directory: Path) -> None:
        self.address = f"unix:path={directory}/bus"
        self._config = directory / "bus.conf"
        self._config.write_text(_CONFIG.format(address=self.address))
        self._process: trio.Process | None = None

    async def start(self) -> None:
        """Return once it takes connections."""
        self._process = await trio.lowlevel.open_process(
            ["dbus-daemon", f"--config-file={self._config}", "--nofork", "--print-address=1"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        async with self._process.stdout as stdout:
            with trio.fail_after(START_SECS):
                await read_line(stdout)

    async def kill(self) -> None:
        """End it without a chance to tidy up."""
        if self._process is not None:
            self._process.kill()
            with trio.CancelScope(shield=True):
                await self._process.wait()

    def freeze(self) -> None:
        """Stop it: it still takes connections, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


@asynccontextmanager
async def open_bus() -> AsyncIterator[SessionBus]:
    """Yield a bus that runs."""
    # Not pytest's directory: the path of a socket has to be short (unix(7)).
    with tempfile.TemporaryDirectory() as directory:
        bus = SessionBus(Path(directory))
        try:
            await bus.start()
            yield bus
        finally:
            await bus.kill()
