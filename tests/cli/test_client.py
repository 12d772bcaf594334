"""The connection: who is trusted, how long is waited, what is understood."""

import os
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from antidrift_cli import client
from antidrift_cli.client import ANSWER_SECS, Client, open_client
from antidrift_cli.errors import BadInput, CliError, NoDaemon, OtherProtocol, Refused
from antidrift_cli.starting import how_to_start
from protocol import jsonrpc, views
from protocol.errors import RpcError
from protocol.methods import PlanParams
from tests.cli.fake_daemon import FakeDaemon, protocol_of
from tests.cli.samples import IDLE, PLANNING

HOW_TO_START = how_to_start()


def ask(environ: Mapping[str, str], method: str = "state", answer_secs: int = 5) -> views.State:
    with open_client(environ, answer_secs) as connection:
        return connection.ask(method).state


def failure(environ: Mapping[str, str], answer_secs: int = 5) -> CliError:
    with pytest.raises(CliError) as caught:
        ask(environ, answer_secs=answer_secs)
    assert "\n" not in str(caught.value)
    return caught.value


class TestTrust:
    def test_without_a_socket_it_says_which_was_tried_and_how_to_start(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "none.sock"
        error = failure({"ANTIDRIFT_SOCKET": str(path)})

        assert isinstance(error, NoDaemon)
        assert str(path) in str(error)
        assert HOW_TO_START in str(error)

    @pytest.mark.parametrize("variable", ["XDG_RUNTIME_DIR", "ANTIDRIFT_SOCKET"])
    def test_only_where_the_place_is_a_guess_it_says_what_may_be_wrong(self, variable: str) -> None:
        home = {"HOME": "/home/nobody-here"}

        assert "set XDG_RUNTIME_DIR" in str(failure(home))
        assert "XDG_RUNTIME_DIR" not in str(failure({**home, variable: "/nowhere/none"}))

    def test_a_socket_that_a_dead_daemon_left_is_no_daemon(self, tmp_path: Path) -> None:
        path = tmp_path / "stale.sock"
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))

        assert HOW_TO_START in str(failure({"ANTIDRIFT_SOCKET": str(path)}))

    @pytest.mark.parametrize("mode", [0o777, 0o720, 0o702, 0o1777])
    @pytest.mark.fault("T3", "another user listens first")
    def test_a_directory_that_others_can_write_is_refused(
        self, daemon: FakeDaemon, mode: int
    ) -> None:
        daemon.path.parent.chmod(mode)
        error = failure(daemon.environ)
        daemon.path.parent.chmod(0o700)

        assert isinstance(error, NoDaemon)
        assert "others can write" in str(error)
        assert daemon.received == b""

    @pytest.mark.fault("T3", "another user listens first")
    def test_a_directory_of_another_user_is_refused(
        self, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        somebody_else = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: somebody_else)

        assert "belongs to another user" in str(failure(daemon.environ))
        assert daemon.received == b""

    @pytest.mark.fault("T3", "another user listens first")
    def test_a_process_of_another_user_gets_no_byte(
        self, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        somebody_else = os.getuid() + 1
        monkeypatch.setattr(client, "_check_directory", lambda path: None)
        monkeypatch.setattr(os, "getuid", lambda: somebody_else)

        assert f"what listens at {daemon.path} belongs to another" in str(failure(daemon.environ))
        assert daemon.received == b""

    def test_a_path_that_no_socket_can_have_is_named(self) -> None:
        error = failure({"ANTIDRIFT_SOCKET": "/" + "x" * 200})

        assert isinstance(error, NoDaemon)
        assert "107" in str(error)

    def test_a_file_in_the_place_of_the_socket_is_no_daemon(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()

        assert isinstance(failure({"ANTIDRIFT_SOCKET": str(tmp_path / "file")}), NoDaemon)


class TestPatience:
    def test_ten_seconds_are_waited(self) -> None:
        assert ANSWER_SECS == 10

    def test_a_daemon_that_accepts_and_never_answers_is_given_up(self, tmp_path: Path) -> None:
        path = tmp_path / "mute.sock"
        with socket.socket(socket.AF_UNIX) as mute:
            mute.bind(str(path))
            mute.listen()
            error = failure({"ANTIDRIFT_SOCKET": str(path)}, answer_secs=1)

        assert isinstance(error, NoDaemon)
        assert str(path) in str(error)
        assert HOW_TO_START in str(error)

    def test_a_daemon_whose_backlog_is_full_is_waited_for(self, tmp_path: Path) -> None:
        path = tmp_path / "full.sock"
        with socket.socket(socket.AF_UNIX) as full, socket.socket(socket.AF_UNIX) as first:
            full.bind(str(path))
            full.listen(0)
            first.connect(str(path))
            error = failure({"ANTIDRIFT_SOCKET": str(path)}, answer_secs=1)

        assert "no answer in time" in str(error)

    def test_a_daemon_that_hangs_up_is_no_daemon(self, daemon: FakeDaemon) -> None:
        daemon.answers["info"] = b""
        threading.Timer(0.2, daemon.hang_up).start()

        assert "went away" in str(failure(daemon.environ))


class TestVersions:
    @pytest.mark.parametrize(
        ("number", "remedy"), [(0, "restart the daemon"), (2, "update antidrift")]
    )
    def test_another_protocol_is_named_with_both_versions_and_a_remedy(
        self, daemon: FakeDaemon, number: int, remedy: str
    ) -> None:
        daemon.info = protocol_of(number, "7.8.9")
        error = failure(daemon.environ)

        assert isinstance(error, OtherProtocol)
        for part in ("7.8.9", f"protocol {number}", "0.1.0", "protocol 1", remedy):
            assert part in str(error)
        assert daemon.methods() == []

    @pytest.mark.parametrize(
        "line",
        [
            b"HTTP/1.1 400 Bad Request\r\n",
            b"{}\n",
            b'{"jsonrpc":"2.0","id":1,"result":7}\n',
            b'{"jsonrpc":"2.0","id":1,"result":{"version":"1"}}\n',
            b"\xff\xfe\n",
            b"x" * (1 << 20) + b"yz\n",
            b"[" * 5000 + b"\n",
        ],
        ids=lambda line: f"{len(line)} bytes {line[:20]!r}",
    )
    def test_what_speaks_something_else_is_another_protocol(
        self, daemon: FakeDaemon, line: bytes
    ) -> None:
        daemon.answers["info"] = line

        assert isinstance(failure(daemon.environ), OtherProtocol)

    def test_a_state_of_a_newer_daemon_is_understood(self, daemon: FakeDaemon) -> None:
        daemon.answers["state"] = (
            b'{"jsonrpc":"2.0","id":2,"result":{"revision":5,"durable":true,"runtime":"idle",'
            b'"mood":"new","sensor":{"name":"x11","status":"ok","also":[1]}}}\n'
        )

        assert ask(daemon.environ).revision == 5


class TestAnswers:
    @pytest.fixture
    def connection(self, daemon: FakeDaemon) -> Iterator[Client]:
        with open_client(daemon.environ, 5) as connection:
            yield connection

    def test_the_json_is_kept_as_it_came(self, daemon: FakeDaemon, connection: Client) -> None:
        daemon.answers["state"] = (
            b'{"id":2,"result": {"revision":5,"durable":true,"runtime":"idle", "mood":"\xc3\xa9",'
            b'"sensor":{"name":"x11","status":"ok"}}, "jsonrpc":"2.0"}\n'
        )

        assert b'"mood":"\xc3\xa9"' in connection.ask("state").json

    def test_a_refusal_is_raised_with_what_the_daemon_says(
        self, daemon: FakeDaemon, connection: Client
    ) -> None:
        daemon.answers["refocus"] = RpcError("not_active", "no session runs", "idle")

        with pytest.raises(Refused, match="no session runs") as caught:
            connection.ask("refocus")
        assert (caught.value.code, caught.value.kind) == (-32001, "not_active")

    def test_an_error_without_an_id_is_about_our_request(
        self, daemon: FakeDaemon, connection: Client
    ) -> None:
        error = RpcError("invalid_request", "too long").to_object()
        daemon.answers["plan"] = jsonrpc.encode_error(jsonrpc.NULL_ID, error)

        with pytest.raises(Refused, match="too long"):
            connection.ask("plan")

    def test_a_daemon_without_room_says_so(self, daemon: FakeDaemon) -> None:
        error = RpcError("too_busy", "64 connections are open").to_object()
        daemon.answers["info"] = jsonrpc.encode_error(jsonrpc.NULL_ID, error)

        with pytest.raises(Refused, match="64 connections"):
            ask(daemon.environ)

    def test_a_request_longer_than_the_daemon_takes_is_not_sent(
        self, daemon: FakeDaemon, connection: Client
    ) -> None:
        before = daemon.received

        with pytest.raises(BadInput, match="65536"):
            connection.ask("plan", PlanParams(intent="x" * 65_536))
        assert daemon.received == before

    def test_a_long_reply_arrives_whole(self, daemon: FakeDaemon, connection: Client) -> None:
        daemon.state = replace(IDLE, notices=("x" * 300 * 1024,))

        assert connection.ask("state").state == daemon.state

    def test_replies_may_come_joined_or_in_pieces(self, tmp_path: Path) -> None:
        replies = [
            b'{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}\n',
            jsonrpc.encode_result(Raw(b"2"), IDLE),
            jsonrpc.encode_result(Raw(b"3"), PLANNING),
        ]
        stream = b"".join(replies)
        path = tmp_path / "slow.sock"

        def drip(listener: socket.socket, at_once: int) -> None:
            connection, _ = listener.accept()
            with connection:
                for at in range(0, len(stream), at_once):
                    connection.sendall(stream[at : at + at_once])
                with suppress(OSError):
                    while connection.recv(4096):
                        pass

        for at_once in (1, 100, len(stream)):
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(path))
                listener.listen()
                server = threading.Thread(target=drip, args=[listener, at_once])
                server.start()
                with open_client({"ANTIDRIFT_SOCKET": str(path)}, 5) as connection:
                    assert connection.ask("state").state == IDLE
                    assert connection.ask("plan").state == PLANNING
                server.join()
                path.unlink()


def test_the_kernel_tells_who_is_at_the_other_end() -> None:
    """The layout of `struct ucred` is what the check relies on."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        raw = ours.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))

    assert struct.unpack("3i", raw)[:2] == (os.getpid(), os.getuid())


def test_a_client_that_was_turned_away_hears_why_though_it_speaks_late() -> None:
    ours, theirs = socket.socketpair()
    busy = RpcError("too_busy", "all 64 connections are taken").to_object()
    theirs.sendall(jsonrpc.encode_error(jsonrpc.NULL_ID, busy))
    theirs.close()
    with ours, pytest.raises(Refused, match="all 64 connections"):
        Client(ours, "/some/socket", None).greet()
