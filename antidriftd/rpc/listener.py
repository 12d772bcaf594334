"""The socket: made private, guarded by a lock, open to its owner only."""

import contextlib
import errno
import logging
import os
import socket
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

import trio

from antidriftd.rpc.connection import Connection, Service
from antidriftd.rpc.methods import Methods
from antidriftd.rpc.readiness import Readiness
from antidriftd.runtime.hub import Hub
from antidriftd.runtime.ownership import UnsafePath, hold_lock, make_private_dir
from protocol import jsonrpc
from protocol.errors import RpcError

_log = logging.getLogger(__name__)

_BACKLOG = 128
_PEER_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid: struct ucred of unix(7)
_NO_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_PAUSE_SECS = 0.5


@contextlib.contextmanager
def open_socket(path: Path, inherited: socket.socket | None = None) -> Iterator[socket.socket]:
    """Listen at `path`, and remove the socket at the end if it is still ours.

    A socket that a dead daemon left is replaced: the lock beside it, not a probe, tells that it
    is dead. One that was `inherited` is served as it is, and stays its maker's.

    Raises:
        AlreadyRunning: another daemon listens there.
        UnsafePath: the directory is open to others, or something else is in the way.
        OSError: the socket can't be made.
    """
    make_private_dir(path.parent)
    with hold_lock(path.with_name(path.name + ".lock"), f"socket {path}"):
        if inherited is not None:
            with inherited:
                path.chmod(0o600)
                yield inherited
            return
        _remove_dead(path)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.setblocking(False)
            sock.bind(os.fspath(path))  # under a umask that leaves it to its owner
            ours = path.lstat()
            try:
                path.chmod(0o600)
                sock.listen(_BACKLOG)
                yield sock
            finally:
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(ours, path.lstat()):
                        path.unlink()


def _remove_dead(path: Path) -> None:
    try:
        seen = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(seen.st_mode) or seen.st_uid != os.geteuid():
        raise UnsafePath(f"{path} is in the way and is no socket of yours; move it away")
    path.unlink()


async def serve(sock: socket.socket, methods: Methods, hub: Hub, *, limit: int) -> None:
    """Accept clients until cancelled, at most `limit` at a time; the next ones are told so."""
    connections: set[Connection] = set()
    readiness = Readiness()

    def admit(client: socket.socket, service: Service) -> None:
        if not _is_ours(client):
            client.close()
        elif len(connections) >= limit:
            _turn_away(client, limit, methods.runtime())
        else:
            connection = Connection(client, service, connections.discard)
            connections.add(connection)
            connection.open()

    try:
        async with trio.open_nursery() as nursery:
            service = Service(methods, hub, readiness, nursery)
            nursery.start_soon(readiness.run)
            while True:
                admit(await _accept(sock), service)
    finally:
        for connection in tuple(connections):
            connection.close()
        readiness.close()


async def _accept(sock: socket.socket) -> socket.socket:
    """Return the next client. One at a time: others have their turn, and most come alone."""
    complained = False
    while True:
        await trio.lowlevel.wait_readable(sock)
        try:
            client, _ = sock.accept()
        except OSError as error:
            if error.errno in _NO_RESOURCES:
                # The client stays in the backlog; trying again at once would spin.
                if not complained:
                    _log.warning("no client can be accepted for now: %s", error.strerror)
                    complained = True
                await trio.sleep(_PAUSE_SECS)
            continue
        client.setblocking(False)
        return client


def _is_ours(client: socket.socket) -> bool:
    try:
        data = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER_CREDENTIALS.size)
    except OSError:
        return False
    _, uid, _ = _PEER_CREDENTIALS.unpack(data)
    if uid != os.geteuid():
        _log.warning("a client of user %d was turned away", uid)
        return False
    return True


def _turn_away(client: socket.socket, limit: int, runtime: str) -> None:
    message = f"all {limit} connections are taken; close some `antidrift watch`"
    error = RpcError("too_busy", message, runtime)
    with client, contextlib.suppress(OSError):
        client.send(jsonrpc.encode_error(jsonrpc.NULL_ID, error.to_object()))
