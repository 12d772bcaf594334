"""The history in SQLite: written in one thread, a batch in a transaction.

SQLite is imported there, when there is something to write.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import trio

from antidriftd.adapters.store.history_schema import MIGRATIONS, Migrations
from antidriftd.adapters.store.own_file import aside, followed, stamp_of
from antidriftd.adapters.store.port import StoreError
from antidriftd.core.recording_state import Entry


class SqliteHistoryStore:
    """Keeps the history in one file of a private directory.

    It is opened for each batch, about once a minute: what others do with the file meanwhile, such
    as deleting it or putting an earlier one in its place, needs no restart.
    """

    def __init__(
        self, path: Path, utc: Callable[[], float], *, migrations: Migrations = MIGRATIONS
    ) -> None:
        self._path = path
        self._utc = utc
        self._migrations = migrations
        self._one_at_a_time = trio.CapacityLimiter(1)
        self._checked = False
        self._trouble = ""

    async def write(self, entries: Sequence[Entry]) -> str:
        """Add the entries; all of the file is checked before the first of them.

        One that can't be read is renamed, never touched, and a new one is begun.
        """
        # The clock can be read here, but not in another thread.
        stamp = stamp_of(self._utc())
        return await trio.to_thread.run_sync(
            self._write, entries, stamp, limiter=self._one_at_a_time, abandon_on_cancel=True
        )

    def _write(self, entries: Sequence[Entry], stamp: str) -> str:
        import sqlite3

        from antidriftd.adapters.store.history_file import Unreadable

        try:
            try:
                self._put(entries)
            except Unreadable as error:
                self._set_aside(stamp, str(error))
                self._put(entries)
        except Unreadable as error:
            raise StoreError(f"{self._path}: {error}") from error
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror or error}") from error
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: {error}") from error
        trouble, self._trouble = self._trouble, ""
        return trouble

    def _put(self, entries: Sequence[Entry]) -> None:
        from antidriftd.adapters.store import history_file, history_rows

        path = followed(self._path)
        history_file.make(path)
        with history_file.damage_told():
            if not self._checked:
                history_file.check(path, len(self._migrations))
            with history_file.opened(path, self._migrations) as connection, connection:
                connection.execute("BEGIN IMMEDIATE")
                history_rows.put(connection, entries)
        self._checked = True

    def _set_aside(self, stamp: str, why: str) -> None:
        """Rename what lies in its place, of a link the link; its companions go first.

        Left beside a new file, they would be taken for its own.
        """
        self._checked = False
        target = aside(self._path, stamp)
        for ending in ("-journal", "-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{ending}").rename(f"{target}{ending}")
        self._trouble = f"the history could not be read ({why}); it is kept as {target}"
