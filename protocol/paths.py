"""Where the socket and the files are: one rule for the daemon and its clients.

The environment is passed in. An empty variable counts as unset; an XDG variable that is not an
absolute path does too (XDG Base Directory Specification).
"""

import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import Final

MAX_SOCKET_PATH_BYTES: Final = 107
"""What `sun_path` holds besides its final NUL on Linux (unix(7))."""


class PathTooLong(ValueError):
    """The socket's path is longer than the system allows; the message names it."""


class NoHome(ValueError):
    """No home directory is known for this user; the message says what to set."""


def state_dir(environ: Mapping[str, str], given: str = "") -> Path:
    """Return the directory of the daemon's own files; `given` is what a flag named."""
    named = given or environ.get("ANTIDRIFT_STATE_DIR", "")
    if named:
        return _expand(named, environ)
    return _xdg_dir(environ, "XDG_STATE_HOME", ".local/state") / "antidrift"


def config_path(environ: Mapping[str, str], given: str = "") -> Path:
    """Return the path of config.toml; `given` is what a flag named."""
    named = given or environ.get("ANTIDRIFT_CONFIG", "")
    if named:
        return _expand(named, environ)
    return _xdg_dir(environ, "XDG_CONFIG_HOME", ".config") / "antidrift" / "config.toml"


def bindings_path(environ: Mapping[str, str]) -> Path:
    """Return the path of knowledge.toml; one that the environment names must be absolute."""
    named = environ.get("ANTIDRIFT_KNOWLEDGE_BINDINGS", "")
    if named:
        return Path(named)
    return _xdg_dir(environ, "XDG_CONFIG_HOME", ".config") / "antidrift" / "knowledge.toml"


def knowledge_dir(environ: Mapping[str, str]) -> Path:
    """Return the directory of evidence and harvests."""
    return _xdg_dir(environ, "XDG_DATA_HOME", ".local/share") / "antidrift" / "knowledge"


def socket_path(environ: Mapping[str, str], given: str = "", given_state_dir: str = "") -> Path:
    """Return the socket's path; `given` and `given_state_dir` are what flags named.

    Raises:
        PathTooLong: no socket can have this path.
    """
    path = _socket_path(environ, given, given_state_dir)
    length = len(os.fsencode(path))
    if length > MAX_SOCKET_PATH_BYTES:
        raise PathTooLong(
            f"the socket path is {length} bytes long, more than the {MAX_SOCKET_PATH_BYTES} "
            f"that Linux allows; set ANTIDRIFT_SOCKET to a shorter one: {path}"
        )
    return path


def prompt_path(socket: Path) -> Path:
    """Return the path of the file for shell prompts, which lies beside the socket."""
    return socket.with_name("prompt")


def _socket_path(environ: Mapping[str, str], given: str, given_state_dir: str) -> Path:
    named = given or environ.get("ANTIDRIFT_SOCKET", "")
    if named:
        return _expand(named, environ)
    runtime_dir = environ.get("XDG_RUNTIME_DIR", "")
    if runtime_dir.startswith("/"):
        return Path(runtime_dir, "antidrift", "antidrift.sock")
    return state_dir(environ, given_state_dir) / "run" / "antidrift.sock"


def _xdg_dir(environ: Mapping[str, str], variable: str, default: str) -> Path:
    named = environ.get(variable, "")
    return Path(named) if named.startswith("/") else _home(environ) / default


def _expand(named: str, environ: Mapping[str, str]) -> Path:
    """Return the path that `named` means, `~` being the home directory."""
    if named == "~" or named.startswith("~/"):
        return _home(environ) / named[2:]
    return Path(named)


def _home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME", "")
    if named.startswith("/"):
        return Path(named)
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        raise NoHome("no home directory is known: set HOME to an absolute path") from None
