"""The knowledge source that is one file, read afresh each time and never written."""

import codecs
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import trio

from antidriftd.adapters.knowledge.port import KnowledgeError
from antidriftd.core.model import Profile
from protocol.visible import one_line

DEFAULT_PATH = "~/.antidrift/knowledge.md"
MAX_PROFILE_BYTES = 6 * 1024
"""How much of a profile is used, as UTF-8; it bounds what the coach's prompt costs."""

TRUNCATED = "\n…(truncated)"
TIMEOUT_SECS = 10.0

# As UTF-16 the text of a full profile takes at most twice as much, and the byte-order mark.
_READ_BYTES = 2 * MAX_PROFILE_BYTES + 16
_THREADS = 4
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def file_knowledge_source(file: str, environ: Mapping[str, str]) -> "FileKnowledgeSource":
    """Return the source for `file`, the configured one; empty means `DEFAULT_PATH`.

    Nothing is read or checked before `load`, so this never fails.
    """
    return FileKnowledgeSource(file or DEFAULT_PATH, home=environ.get("HOME", ""))


class FileKnowledgeSource:
    """Reads the profile from a text file."""

    def __init__(
        self, default_path: str, *, home: str = "", timeout_secs: float = TIMEOUT_SECS
    ) -> None:
        """Take the path for when none is given, and what `~` is; empty: the user database's."""
        self._default_path = default_path
        self._home = home
        self._timeout_secs = timeout_secs
        # Threads of its own: those that a dead network drive holds must not be missed elsewhere.
        self._threads = trio.CapacityLimiter(_THREADS)

    async def load(self, path: str) -> Profile:
        """Return the profile at `path`, with the absolute path; see `KnowledgeSource.load`.

        At most `MAX_PROFILE_BYTES` of it are returned, then `TRUNCATED`. UTF-8 and, with a
        byte-order mark, UTF-16 are understood; in anything else U+FFFD stands for each mistake.
        A drive that does not answer within the time limit counts as unreadable.
        """
        named = path or self._default_path
        try:
            resolved = self._resolve(named)
        except (OSError, RuntimeError) as error:  # no working directory, or no home
            raise _unreadable(named, _reason(error)) from error
        try:
            with trio.fail_after(self._timeout_secs):
                head = await trio.to_thread.run_sync(
                    _read_head, resolved, limiter=self._threads, abandon_on_cancel=True
                )
        except FileNotFoundError:
            head = b""
        except trio.TooSlowError as error:
            why = f"the disk gave no answer in {self._timeout_secs:g} s"
            raise _unreadable(str(resolved), why) from error
        except (OSError, ValueError) as error:  # ValueError: a path that no file can have
            raise _unreadable(str(resolved), _reason(error)) from error
        return Profile(profile_text(head), _shown(str(resolved)))

    def _resolve(self, path: str) -> Path:
        return expanded(path, self._home).absolute()


def expanded(path: str, home: str) -> Path:
    """Return `path` with `~` as `home`, or if that is empty as the user database has it.

    Raises:
        RuntimeError: that has none either.
    """
    named = Path(path)
    if named.parts[:1] == ("~",):
        return Path(home or Path.home(), *named.parts[1:])
    return named


def _read_head(path: Path) -> bytes:
    # A FIFO or a device in its place must not block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(_READ_BYTES)
    finally:
        os.close(descriptor)


def profile_text(head: bytes) -> str:
    """Return a profile's text, cut at `MAX_PROFILE_BYTES`; empty when it is blank."""
    is_utf16 = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = head.decode("utf-16" if is_utf16 else "utf-8-sig", errors="replace")
    # What is ignored is the part of a last character that the cut leaves.
    kept = text.encode()[:MAX_PROFILE_BYTES].decode(errors="ignore")
    if not kept.strip():
        return ""
    return kept if kept == text else kept + TRUNCATED


def _unreadable(path: str, why: str) -> KnowledgeError:
    shown = _shown(path)
    return KnowledgeError(f"cannot read the profile {one_line(shown)}: {one_line(why)}", shown)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _shown(path: str) -> str:
    """Return `path` as text that any encoder takes: a file's name need not be text at all."""
    return "".join(_UNKNOWN if "\ud800" <= char <= "\udfff" else char for char in path)
