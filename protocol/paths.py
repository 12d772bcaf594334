"""Where the socket and the files are: one rule for the daemon and its clients.

The environment is passed in. An empty variable counts as unset; an XDG variable that is not an
absolute path does too (XDG Base Directory Specification).

`antidrift prompt` imports this at every prompt, so the paths are text, and nothing is imported that
Python hasn't loaded already: `pathlib` alone would take as long as all the rest.
"""

import os
import pwd

TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SOCKET_PATH_BYTES = 107
"""What `sun_path` holds besides its final NUL on Linux (unix(7))."""


class PathTooLong(ValueError):
    """The socket's path is longer than the system allows; the message names it."""


class NoHome(ValueError):
    """No home directory is known for this user; the message says what to set."""


def state_dir(environ: "Mapping[str, str]", given: str = "") -> str:
    """Return the directory of the daemon's own files; `given` is what a flag named."""
    named = given or environ.get("ANTIDRIFT_STATE_DIR", "")
    if named:
        return _expand(named, environ)
    return _xdg_path(environ, "XDG_STATE_HOME", ".local/state", "antidrift")


def config_path(environ: "Mapping[str, str]", given: str = "") -> str:
    """Return the path of config.toml; `given` is what a flag named."""
    named = given or environ.get("ANTIDRIFT_CONFIG", "")
    if named:
        return _expand(named, environ)
    return _xdg_path(environ, "XDG_CONFIG_HOME", ".config", "antidrift/config.toml")


def bindings_path(environ: "Mapping[str, str]") -> str:
    """Return the path of knowledge.toml; one that the environment names must be absolute."""
    named = environ.get("ANTIDRIFT_KNOWLEDGE_BINDINGS", "")
    return named or _xdg_path(environ, "XDG_CONFIG_HOME", ".config", "antidrift/knowledge.toml")


def knowledge_dir(environ: "Mapping[str, str]") -> str:
    """Return the directory of evidence and harvests."""
    return _xdg_path(environ, "XDG_DATA_HOME", ".local/share", "antidrift/knowledge")


def socket_path(environ: "Mapping[str, str]", given: str = "", given_state_dir: str = "") -> str:
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


def prompt_path(socket: str) -> str:
    """Return the path of the file for shell prompts, which lies beside the socket."""
    return socket[: socket.rfind("/") + 1] + "prompt"


def _socket_path(environ: "Mapping[str, str]", given: str, given_state_dir: str) -> str:
    named = given or environ.get("ANTIDRIFT_SOCKET", "")
    if named:
        return _expand(named, environ)
    runtime_dir = environ.get("XDG_RUNTIME_DIR", "")
    if runtime_dir.startswith("/"):
        return f"{runtime_dir}/antidrift/antidrift.sock"
    return f"{state_dir(environ, given_state_dir)}/run/antidrift.sock"


def _xdg_path(environ: "Mapping[str, str]", variable: str, default: str, name: str) -> str:
    named = environ.get(variable, "")
    folder = named if named.startswith("/") else f"{_home(environ)}/{default}"
    return f"{folder}/{name}"


def _expand(named: str, environ: "Mapping[str, str]") -> str:
    """Return the path that `named` means, `~` being the home directory."""
    if named == "~" or named.startswith("~/"):
        return _home(environ) + named[1:]
    return named


def _home(environ: "Mapping[str, str]") -> str:
    named = environ.get("HOME", "")
    if named.startswith("/"):
        return named
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        raise NoHome("no home directory is known: set HOME to an absolute path") from None
