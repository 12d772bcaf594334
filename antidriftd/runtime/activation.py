"""Socket activation: the listening socket that systemd hands over (sd_listen_fds(3))."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_FIRST_DESCRIPTOR: Final = 3


class BadActivation(Exception):
    """What systemd handed over can't be served; the message is one line for a person."""


def inherited_socket(environ: Mapping[str, str], expected: Path) -> socket.socket | None:
    """Return the socket that was handed over to this process; None when there is none.

    It is closed to programs that are started later. Its path has to be the one at which clients
    look.

    Raises:
        BadActivation: it is none of ours, or there are several.
    """
    count = environ.get("LISTEN_FDS", "")
    if environ.get("LISTEN_PID", "") != str(os.getpid()) or not count:
        return None
    if count != "1":
        raise BadActivation(f"systemd handed over {count} sockets where one is served")
    os.set_inheritable(_FIRST_DESCRIPTOR, False)
    try:
        sock = socket.socket(fileno=_FIRST_DESCRIPTOR)
    except OSError as error:
        raise BadActivation(f"systemd handed over no socket: {error.strerror}") from error
    problem = _problem(sock, expected)
    if problem:
        sock.close()
        raise BadActivation(problem)
    sock.setblocking(False)
    return sock


def _problem(sock: socket.socket, expected: Path) -> str:
    """Say why this socket can't be served; empty when it can."""
    if sock.family != socket.AF_UNIX or sock.type != socket.SOCK_STREAM:
        return "systemd handed over something else than a Unix stream socket"
    if not sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return "systemd handed over a socket that doesn't listen"
    name = os.fsdecode(sock.getsockname())
    if name != os.fspath(expected):
        return f"systemd handed over the socket {name}, and clients look for {expected}"
    return ""
