"""Clients that ask as fast as they are answered."""

import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.bench.streams import connect, read_line


def round_trips(path: Path, request: bytes, *, times: int) -> list[float]:
    """Ask so many times over one connection; return how long each answer took, in seconds."""
    took = []
    with ExitStack() as stack:
        sock = connect(path, stack)
        for _ in range(times):
            began = time.perf_counter()
            sock.sendall(request)
            read_line(sock)
            took.append(time.perf_counter() - began)
    return took


@dataclass(frozen=True, slots=True)
class Asker:
    """The client in C; an answer is complete when it ends with the character `end`."""

    program: Path
    path: Path
    request: bytes
    end: str = "\n"

    def ask_together(self, *, times: int, connections: int) -> float:
        """Ask so many times over several connections at once; return the seconds it took."""
        return self._run(times, connections)

    def ask_as_strangers(self, *, times: int) -> float:
        """Connect anew for each request; return the seconds it took."""
        return self._run(times)

    def _run(self, *numbers: int) -> float:
        command = [str(self.program), str(self.path), self.request.decode(), self.end]
        command += map(str, numbers)
        return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
