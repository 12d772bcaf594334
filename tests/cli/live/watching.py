"""`antidrift watch` run with its output in a pipe, and read line by line."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.cli.fake_daemon import command


@contextmanager
def watching(environ: Mapping[str, str], *flags: str) -> Iterator["Watch"]:
    with subprocess.Popen(
        command("watch", *flags), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Watch(process)
        finally:
            process.kill()


class Watch:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().decode().removesuffix("\n")

    def lines_until(self, wanted: str) -> list[str]:
        lines = [self.line()]
        while wanted not in lines[-1]:
            lines.append(self.line())
        return lines

    def stop_reading(self) -> None:
        assert self.process.stdout
        self.process.stdout.close()

    def complaint(self) -> str:
        assert self.process.stderr
        return self.process.stderr.readline().decode().removesuffix("\n")
