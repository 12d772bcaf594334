"""A blocking connection to the daemon that trusts nobody but our own user."""

import os
import select
import socket
import stat
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, UnsetType

from antidrift_cli.errors import BadInput, NoDaemon, OtherProtocol, Refused, refusal
from antidrift_cli.starting import how_to_start
from protocol import jsonrpc, paths
from protocol.connection import MAX_REPLY_BYTES, MAX_REQUEST_BYTES, FrameTooLong, LineReader
from protocol.methods import DisplayParams, NoParams, Params
from protocol.version import PROTOCOL_VERSION, VERSION, speaks_our_protocol
from protocol.views import State

ANSWER_SECS: Final = 10
"""How long the daemon may take to accept, to read or to answer."""

_READ_BYTES: Final = 65_536

T = TypeVar("T")


class Reply(NamedTuple):
    """A State, and the JSON that it came as (which may tell more than this client knows)."""

    state: State
    json: bytes


class Greeting(msgspec.Struct, frozen=True):
    """The part of the Info that any version of the protocol has."""

    protocol: int
    version: str = "unknown"


class Client:
    """One connection; every failure is raised as a `CliError`."""

    def __init__(self, sock: socket.socket, path: str, display: DisplayParams | None) -> None:
        self._sock = sock
        self._path = path
        self._display = display
        self._reader = LineReader(MAX_REPLY_BYTES)
        self._lines: list[bytes] = []
        self._last_id = 0

    def ask(self, method: str, params: Params | None = None) -> Reply:
        """Return the State that `method` answers with.

        Offers our X display, once, to a daemon that looks for one; the State is then the newer.
        """
        reply = _reply(self._call(method, params or NoParams()), self._path)
        if self._display and _looks_for_a_display(reply.state):
            offered, self._display = self._display, None
            with suppress(Refused):
                return _reply(self._call("display", offered), self._path)
        return reply

    def get(self, method: str, kind: type[T], params: Params | None = None) -> tuple[T, bytes]:
        """Return what `method` answers with where that is no State, and the JSON it came as.

        A daemon that looks for a display is offered ours before, as by `ask`.
        """
        if self._display:
            self.ask("state")
        result = self._call(method, params or NoParams())
        return _decode(result, kind, self._path), bytes(result)

    def watch(self) -> Iterator[Reply]:
        """Yield the State now and then each new one, until standard output has no reader."""
        self.ask("state")
        yield from self._follow()

    def ask_and_watch(self, method: str, params: Params | None = None) -> Iterator[Reply]:
        """Yield the State that `method` answers with, then as `watch` does."""
        yield self.ask(method, params)
        yield from self._follow()

    def _follow(self) -> Iterator[Reply]:
        yield _reply(self._call("watch", NoParams()), self._path)
        _limit_waiting(self._sock, 0)
        while self._lines or _wait_for_news(self._sock):
            incoming = self._receive()
            if incoming.method == "state" and isinstance(incoming.params, Raw):
                yield _reply(incoming.params, self._path)

    def greet(self) -> None:
        """Make sure that the daemon speaks our protocol."""
        greeting = _decode(self._call("info", NoParams()), Greeting, self._path)
        if speaks_our_protocol(greeting.protocol):
            return
        remedy = (
            "restart the daemon" if greeting.protocol < PROTOCOL_VERSION else "update antidrift"
        )
        raise OtherProtocol(
            f"the daemon is version {greeting.version} and speaks protocol {greeting.protocol}, "
            f"this client is version {VERSION} and speaks protocol {PROTOCOL_VERSION}: {remedy}"
        )

    def _call(self, method: str, params: Params) -> Raw:
        self._last_id += 1
        request = jsonrpc.encode_request(self._last_id, method, params)
        if len(request) > MAX_REQUEST_BYTES:
            raise BadInput(f"too long: a request has at most {MAX_REQUEST_BYTES} bytes")
        # A daemon that turned us away has said why before it closed: that is still to be read.
        with _named_failures(self._path), suppress(BrokenPipeError):
            self._sock.sendall(request)
        while True:
            incoming = self._receive()
            # A daemon that could not tell our id answers with null.
            if not isinstance(incoming.error, UnsetType) and incoming.id in (self._last_id, None):
                raise refusal(incoming.error)
            if isinstance(incoming.result, Raw) and incoming.id == self._last_id:
                return incoming.result

    def _receive(self) -> jsonrpc.Incoming:
        while not self._lines:
            with _named_failures(self._path):
                data = self._sock.recv(_READ_BYTES)
            if not data:
                raise NoDaemon(f"the daemon at {self._path} went away: {how_to_start()}")
            try:
                self._lines = self._reader.receive(data)
            except FrameTooLong as error:
                raise _other_language(self._path) from error
        try:
            return jsonrpc.decode_incoming(self._lines.pop(0))
        except jsonrpc.BadMessage as error:
            raise _other_language(self._path) from error


@contextmanager
def open_client(environ: Mapping[str, str], answer_secs: int = ANSWER_SECS) -> Iterator[Client]:
    """Connect to the daemon that `environ` names, and check who and what it is.

    Raises:
        NoDaemon: none answers in `answer_secs`, or it isn't ours.
        OtherProtocol: it can't understand us.
    """
    try:
        path = paths.socket_path(environ)
    except (paths.PathTooLong, paths.NoHome) as error:
        raise NoDaemon(str(error)) from error
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        with _named_failures(path, _hint(environ)):
            _check_directory(path)
            _limit_waiting(sock, answer_secs)
            sock.connect(path)
            _check_peer(sock, path)
        client = Client(sock, path, _our_display(environ))
        client.greet()
        yield client


@contextmanager
def _named_failures(path: str, hint: str = "") -> Iterator[None]:
    """Turn what the system says of the socket at `path` into one line for a person."""
    try:
        yield
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NoDaemon(f"no daemon answers at {path}: {how_to_start()}{hint}") from error
    except BlockingIOError as error:
        raise NoDaemon(
            f"no answer in time at {path}: if no daemon runs, {how_to_start()}"
        ) from error
    except OSError as error:
        raise NoDaemon(f"no daemon can be reached at {path} ({error.strerror})") from error


def _hint(environ: Mapping[str, str]) -> str:
    """Return why the daemon may be somewhere else: `su` and cron set no XDG_RUNTIME_DIR."""
    if environ.get("XDG_RUNTIME_DIR") or environ.get("ANTIDRIFT_SOCKET"):
        return ""
    return "; if one runs, set XDG_RUNTIME_DIR to what it has, mostly /run/user/$UID"


def _check_directory(path: str) -> None:
    """Refuse a socket that somebody else could have put there."""
    directory = os.path.dirname(path) or "."  # noqa: PTH120  importing pathlib takes too long
    found = os.stat(directory)  # noqa: PTH116  the same
    if found.st_uid != os.getuid():
        raise NoDaemon(f"{directory} belongs to another user, so what listens there may too")
    if stat.S_IMODE(found.st_mode) & 0o022:
        raise NoDaemon(f"others can write in {directory}, so anybody may listen there")


def _check_peer(sock: socket.socket, path: str) -> None:
    """Refuse a process of another user (SO_PEERCRED, unix(7)), before it gets a byte."""
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, uid, _ = struct.unpack("3i", credentials)
    if uid != os.getuid():
        raise NoDaemon(f"what listens at {path} belongs to another user")


def _limit_waiting(sock: socket.socket, secs: int) -> None:
    """Let the kernel bound each wait, 0 for ever; a full backlog then waits like the rest.

    A socket with a time-out of Python's own doesn't block, and connecting such a one to a busy
    daemon fails at once.
    """
    limit = struct.pack("ll", secs, 0)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)


def _wait_for_news(sock: socket.socket) -> bool:
    """Wait until there is something to read; return False once nobody reads our output."""
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    poll.register(1, 0)  # nothing is asked for, but a closed pipe is always told
    return all(descriptor != 1 for descriptor, _ in poll.poll())


def _our_display(environ: Mapping[str, str]) -> DisplayParams | None:
    display = environ.get("DISPLAY")
    if not display:
        return None
    wayland = "wayland" if environ.get("WAYLAND_DISPLAY") else None
    return DisplayParams(
        display=display,
        xauthority=environ.get("XAUTHORITY") or None,
        session_type=wayland or environ.get("XDG_SESSION_TYPE") or None,
    )


def _looks_for_a_display(state: State) -> bool:
    return state.sensor.status == "unavailable" and state.sensor.name in ("auto", "x11")


def _reply(result: Raw, path: str) -> Reply:
    return Reply(_decode(result, State, path), bytes(result))


def _decode(result: Raw, kind: type[T], path: str) -> T:
    try:
        return msgspec.json.decode(result, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _other_language(path) from error


def _other_language(path: str) -> OtherProtocol:
    return OtherProtocol(
        f"what listens at {path} does not speak Antidrift's protocol {PROTOCOL_VERSION} "
        f"(this client is version {VERSION}): restart the daemon or update antidrift"
    )
