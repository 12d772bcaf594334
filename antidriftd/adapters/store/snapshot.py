"""The snapshot file: replaced whole and durably, set aside when it can't be read."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import trio

from antidriftd import durable
from antidriftd.adapters.store import codec
from antidriftd.adapters.store.own_file import aside, followed, stamp_of
from antidriftd.adapters.store.port import Loaded, StoreError
from antidriftd.core.restore import Saved

MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024


class FileSnapshotStore:
    """Keeps the snapshot in one file of a private directory.

    Only one thread works on the disk at a time. It is left behind when the disk hangs, and then
    later saves wait for it within their own time limit.
    """

    def __init__(self, path: Path, utc: Callable[[], float]) -> None:
        self._path = path
        self._utc = utc
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def load(self) -> Loaded:
        """Return the last snapshot; one that can't be read is renamed, never touched."""
        # The clock can be read here, but not in another thread.
        stamp = stamp_of(self._utc())
        return await trio.to_thread.run_sync(self._load, stamp, limiter=self._one_at_a_time)

    async def save(self, saved: Saved) -> None:
        """Write `saved` to a temporary file beside the snapshot and rename it over."""
        try:
            data = codec.encode(saved)
        except UnicodeEncodeError as error:
            raise StoreError(f"the state holds text that no file can: {error.reason}") from error
        await trio.to_thread.run_sync(
            self._save, data, limiter=self._one_at_a_time, abandon_on_cancel=True
        )

    def _load(self, stamp: str) -> Loaded:
        path = followed(self._path)
        try:
            data = _read(path)
        except FileNotFoundError:
            if path == self._path:
                return Loaded(None)
            return self._set_aside(stamp, "its symbolic link leads nowhere")
        except OSError as error:
            return self._set_aside(stamp, error.strerror or str(error))
        try:
            return Loaded(codec.decode(data))
        except (codec.Unreadable, codec.NewerSchema) as error:
            return self._set_aside(stamp, str(error))

    def _set_aside(self, stamp: str, why: str) -> Loaded:
        """Rename what lies in the snapshot's place: of a link the link, and never its target."""
        path = self._path
        target = aside(path, stamp)
        try:
            path.rename(target)
        except OSError as error:
            raise StoreError(f"{path} can't be read ({why}) nor set aside: {error}") from error
        return Loaded(None, f"the saved state could not be read ({why}); it is kept as {target}")

    def _save(self, data: bytes) -> None:
        try:
            path = followed(self._path)
            durable.replace(path, path.with_name(f"{path.name}.tmp"), data)
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror or error}") from error


def _read(path: Path) -> bytes:
    # A FIFO or a device in its place must not block the start.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is not a regular file")
        data = file.read(MAX_SNAPSHOT_BYTES + 1)
    if len(data) > MAX_SNAPSHOT_BYTES:
        raise OSError(0, "it is too large")
    return data
