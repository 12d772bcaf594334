"""A daemon with scripted answers, on a real socket; and the client run as a real process."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from protocol import jsonrpc, views
from protocol.connection import LineReader
from protocol.errors import RpcError
from tests.cli.samples import IDLE, NOON

PATIENCE_SECS: Final = 60

INFO: Final = views.Info(
    version="0.1.0",
    protocol=1,
    pid=1,
    socket="",
    state_dir="",
    sensor="x11",
    ai="local",
    started_at=NOON,
)


class FakeDaemon:
    """Answers each method with what was set for it, else with `state`; remembers what came."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state: views.State = IDLE
        self.info: object = INFO
        self.answers: dict[str, views.View | RpcError | bytes] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.received = b""
        self._connections: list[socket.socket] = []
        self._watchers: list[socket.socket] = []
        self._has_watcher = threading.Event()
        self._news = threading.Condition()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment in which a client finds this daemon, and no display."""
        kept = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
        return {**kept, "HOME": str(self.path.parent), "ANTIDRIFT_SOCKET": str(self.path)}

    def methods(self) -> list[str]:
        """Return the methods that were asked for, in order, the greeting apart."""
        return [method for method, _ in self.asked if method != "info"]

    def params(self, method: str) -> dict[str, Any]:
        """Return the params of the last request for `method`."""
        return [params for asked, params in self.asked if asked == method][-1]

    def wait_until_asked(self, method: str, times: int = 1) -> None:
        """Wait until `method` has been asked for so many times."""
        with self._news:
            assert self._news.wait_for(
                lambda: [asked for asked, _ in self.asked].count(method) >= times, PATIENCE_SECS
            )

    def publish(self, state: views.State) -> None:
        """Send a new state to whoever watches; waits for a watcher first."""
        self.send(jsonrpc.encode_notification("state", state))

    def publish_later(self, state: views.State) -> None:
        """Send a new state once somebody watches, and don't wait for that."""
        threading.Thread(target=self.publish, args=[state], daemon=True).start()

    def send(self, data: bytes) -> None:
        """Send bytes as they are to whoever watches."""
        assert self._has_watcher.wait(PATIENCE_SECS)
        for watcher in self._watchers:
            watcher.sendall(data)

    def hang_up(self) -> None:
        """Close every connection, as a daemon that dies."""
        self._has_watcher.clear()
        self._watchers.clear()
        while self._connections:
            with suppress(OSError):
                self._connections.pop().shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        """Listen, and answer in the background."""
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop listening and hang up."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self.path.unlink(missing_ok=True)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        reader = LineReader(limit=65_536)
        with suppress(OSError), connection:
            while data := connection.recv(4096):
                self.received += data
                for line in reader.receive(data):
                    self._answer(connection, line)

    def _answer(self, connection: socket.socket, line: bytes) -> None:
        request = jsonrpc.decode(line)
        assert isinstance(request, jsonrpc.Request)
        assert isinstance(request.id, msgspec.Raw)
        assert isinstance(request.params, msgspec.Raw)
        with self._news:
            self.asked.append((request.method, msgspec.json.decode(request.params)))
            self._news.notify_all()
        answer = self.answers.get(request.method, self.state)
        match answer:
            case bytes():
                connection.sendall(answer)
            case RpcError():
                connection.sendall(jsonrpc.encode_error(request.id, answer.to_object()))
            case views.View():
                result = self.info if request.method == "info" else answer
                connection.sendall(jsonrpc.encode_result(request.id, result))
        if request.method == "watch":
            self._watchers.append(connection)
            self._has_watcher.set()


@contextmanager
def open_fake_daemon(directory: Path) -> Iterator[FakeDaemon]:
    """Serve on a socket in `directory`, which becomes private."""
    directory.chmod(0o700)
    daemon = FakeDaemon(directory / "fake.sock")
    daemon.serve()
    try:
        yield daemon
    finally:
        daemon.close()


def protocol_of(number: int, version: str) -> views.Info:
    """Return the Info of a daemon of another version."""
    return replace(INFO, protocol=number, version=version)


def command(*args: str) -> list[str]:
    """Return the command line that runs the client."""
    return [sys.executable, "-m", "antidrift_cli", *args]


def run_client(
    *args: str | bytes, environ: Mapping[str, str], then: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run the client to its end; `then` is what a shell does with its output."""
    if then:
        line = [sys.executable, "-m", "antidrift_cli", *args]
        given: list[str | bytes] = ["bash", "-o", "pipefail", "-c", f'"$@" {then}', "bash", *line]
    else:
        given = [*command(), *args]
    return subprocess.run(
        given,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_SECS,
        check=False,
    )
