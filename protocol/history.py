"""The history's file, which the daemon writes and the client reads by itself."""

from typing import Final

HISTORY_FILE: Final = "history.sqlite3"
"""Its name in the state directory."""

HISTORY_SCHEMA: Final = 1
"""Its `PRAGMA user_version`; a reader of an older number can't make sense of a newer file."""
