"""A file on a disk that does not answer, as on a network drive that is gone."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.checkout import ROOT

STUCK_SECS = 6
"""How long it takes; not much longer, as strace waits for the end whoever is left."""

_CALLS = "openat,access,faccessat,faccessat2"
_SCRIPT = """\
import os, trio
{imports}

async def main():
    async def beat():
        while True:
            beats.append(trio.current_time())
            await trio.sleep(0.05)

    beats = [trio.current_time()]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beat)
        try:
            print(await {call})
        except Exception as error:
            print(f"{{type(error).__name__}}: {{error}}")
        beats.append(trio.current_time())
        nursery.cancel_scope.cancel()
    if max(after - before for before, after in zip(beats, beats[1:])) > {longest}:
        print("the loop stood still")

trio.run(main)
"""


def said_on_stuck_disk(path: Path, imports: str, call: str) -> str:
    """Return what is said of `await call` where every opening of `path` is stuck; see `said_of`."""
    strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(path), "-e", f"trace={_CALLS}"]
    slow = ["-e", f"inject={_CALLS}:delay_enter={STUCK_SECS}s"]
    return said_of(imports, call, within=[*strace, *slow])


def said_of(imports: str, call: str, *, within: Sequence[str] = ()) -> str:
    """Return what `await call` returns or raises in a process of its own, after `imports`.

    It says so too when nothing else could run in the meantime.
    """
    script = _SCRIPT.format(imports=imports, call=call, longest=STUCK_SECS / 2)
    done = subprocess.run(
        [*within, sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=100,
        check=True,
        text=True,
    )
    return done.stdout
