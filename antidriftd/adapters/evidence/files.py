"""All evidence in one private folder, which is made when something is first kept."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from antidriftd.adapters.evidence.inputs import FileInputs
from antidriftd.adapters.evidence.live import FileLiveEvidence
from antidriftd.adapters.evidence.runs import FileRuns
from antidriftd.adapters.evidence.sealed import make_folder
from antidriftd.core.knowledge.errors import CustodyError


class FileEvidence:
    """Keeps the evidence in `folder`; see `Evidence`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.live = FileLiveEvidence(folder / "open")
        self.inputs = FileInputs(folder)
        self.runs = FileRuns(folder / "runs")

    def exists(self) -> bool:
        """Return whether anything has ever been kept."""
        return self._folder.is_dir()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock; the kernel lets go of it when we die."""
        try:
            make_folder(self._folder)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self._folder / "lock", flags, 0o600)
        except OSError as error:
            message = f"{self._folder}: {error.strerror}; make it writable"
            raise CustodyError("E_ACCESS", message) from error
        try:
            _flock(descriptor)
            yield
        finally:
            os.close(descriptor)


def _flock(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        message = "another Antidrift is writing knowledge right now; try again"
        raise CustodyError("E_BUSY", message) from error
