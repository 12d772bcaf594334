"""Opens the profile in force: a file, or a node by the command that prints it."""

import hashlib
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from antidrift_cli.client import open_client
from antidrift_cli.errors import NoDaemon, NotEstablished
from antidrift_cli.profile_path import NODE_PREFIX, absolute
from protocol.custody import Where

MAX_PROFILE_BYTES = 6 * 1024
_DEFAULT = "~/.antidrift/knowledge.md"
_PRINT_SECS = 30


class Opened(NamedTuple):
    """A profile: what it is called, its content, and the commit that it is from, if any.

    It is `supposed` to be the one in force where no daemon could tell.
    """

    name: str
    content: bytes
    commit: str
    supposed: bool = False


def open_profile() -> Opened:
    """Return the profile in force; without a daemon, the default one.

    Raises:
        NotEstablished: it can't be had.
    """
    where = _where()
    if where is None:
        named = os.environ.get("ANTIDRIFT_KNOWLEDGE_FILE") or _DEFAULT
        if named.startswith(NODE_PREFIX):
            raise NotEstablished(f"E_UNBOUND: {named} is known to a running daemon only")
        found = _of_file(absolute(named), missing="there is no profile yet")
        return found._replace(supposed=True)
    if not where.profile.startswith(NODE_PREFIX):
        return _of_file(absolute(where.profile), missing="there is no profile yet")
    if where.code:
        message = f"{where.code}: {where.profile} can't be had; see: antidrift knowledge status"
        raise NotEstablished(message)
    if not where.print:
        return _of_file(where.path, missing="it is gone")
    return Opened(where.profile, _printed(where.print), where.commit)


def _where() -> Where | None:
    try:
        with open_client(os.environ, _PRINT_SECS) as client:
            return client.get("knowledge_where", Where)[0]
    except NoDaemon:
        return None


def _of_file(path: str, *, missing: str) -> Opened:
    try:
        return Opened(path, Path(path).read_bytes(), "")
    except FileNotFoundError:
        return Opened(f"{path} ({missing})", b"", "")
    except OSError as error:
        raise NotEstablished(f"E_ACCESS: {path}: {error.strerror}") from error


def _printed(argv: tuple[str, ...]) -> bytes:
    try:
        done = subprocess.run(argv, capture_output=True, timeout=_PRINT_SECS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotEstablished(f"E_ACCESS: `{argv[0]}` does not print the node") from error
    return done.stdout


def digest(content: bytes) -> str:
    """Return the hash by which receipts name a content."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
