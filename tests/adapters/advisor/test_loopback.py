"""A model server on this machine, asked over real HTTP by a program of ours."""

import socket
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection

import pytest
import trio

from antidriftd.adapters.advisor.loopback import chat_url
from antidriftd.adapters.advisor.loopback_chat import NoAnswer, post
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.programs import ProgramAdvisor
from tests.adapters.advisor.asked import (
    ANSWERS,
    COMMITMENT,
    EVERY_ANSWER,
    READ,
    VERDICT,
    WINDOW,
    advisor,
    ask,
)
from tests.adapters.advisor.model_server import Handler, completion, open_model_server
from tests.fakes.ai import processes_named


def asked(port: int, *, host: str = "127.0.0.1", timeout_secs: float = 60) -> ProgramAdvisor:
    return advisor(
        "ollama",
        model="llama3.2",
        base_url=f"http://{host}:{port}",
        timeout_secs=timeout_secs,
        environ={"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"},
    )


def says(words: object) -> Callable[[Handler], None]:
    return lambda handler: handler.send(completion(words))


def hangs(handler: Handler) -> None:
    handler.model_server.stopped.wait(60)


async def refusal(answer: Callable[[Handler], None], *, timeout_secs: float = 60) -> str:
    with open_model_server(answer) as server:
        with pytest.raises(AdvisorError) as caught:
            await ask(asked(server.port, timeout_secs=timeout_secs), "judge")
        return str(caught.value).replace(str(server.port), "PORT")


class TestAsking:
    @pytest.mark.parametrize("role", ANSWERS)
    async def test_the_answer_is_returned(self, role: str) -> None:
        with open_model_server(says(ANSWERS[role])) as server:
            asks = asked(server.port)
            assert await ask(asks, role) == READ[role]
        assert (asks.name, asks.free) == ("ollama", False)
        assert server.paths == ["/v1/chat/completions"]

    async def test_thinking_and_chatter_around_it_do_no_harm(self) -> None:
        other = VERDICT.replace("true", "false")
        with open_model_server(says(f"<think>{other}</think>Here: {VERDICT}")) as server:
            assert await ask(asked(server.port), "judge") == READ["judge"]

    async def test_the_request_holds_the_prompt_the_schema_and_no_tools(self) -> None:
        with open_model_server(says(VERDICT)) as server:
            asks = asked(server.port)
            await ask(asks, "judge")
        (request,) = server.asked
        schema = request.pop("response_format")["json_schema"]["schema"]
        assert schema["required"] == ["on_task", "reason"]
        assert request == {
            "model": "llama3.2",
            "messages": [{"role": "user", "content": asks.text_for(COMMITMENT, WINDOW)}],
            "temperature": 0,
            "stream": False,
        }

    @pytest.mark.parametrize(("host", "address"), [("localhost", "127.0.0.1"), ("[::1]", "::1")])
    async def test_any_name_of_this_machine_will_do(self, host: str, address: str) -> None:
        with open_model_server(says(VERDICT), address) as server:
            assert await ask(asked(server.port, host=host), "judge") == READ["judge"]

    async def test_a_private_prompt_of_200_kib_is_sent_and_seen_nowhere_else(self) -> None:
        seen: list[int] = []

        def answer(handler: Handler) -> None:
            seen.extend(processes_named("CANARY"))
            handler.send(completion(EVERY_ANSWER))

        with open_model_server(answer) as server:
            profile = "CANARY" * 35_000
            assert await ask(asked(server.port), "coach", grounding=profile) == READ["coach"]
        assert profile in server.asked[0]["messages"][0]["content"]
        assert not seen


class TestTrouble:
    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (
                lambda h: h.send(b'{"error": {"message": "model \\"x\\" not found"}}', status=404),
                'it answered with HTTP 404: model "x" not found',
            ),
            (
                lambda h: h.send(b'{"error": "out of\\nmemory"}', status=500),
                "it answered with HTTP 500: out of memory",
            ),
            (
                lambda h: h.send(b"<h1>\x1b[31mBad\xff</h1>", status=502),
                "it answered with HTTP 502: <h1>\\x1b[31mBad\ufffd</h1>",
            ),
            (
                lambda h: h.send(b"moved", ("Location", "/v1/chat/completions"), status=302),
                "it answered with HTTP 302: moved",
            ),
            (
                lambda h: h.send(b"", ("Location", "http://example.org/"), status=307),
                "it answered with HTTP 307: ",
            ),
            (lambda h: h.send(b"garbage \x00"), r"it answered with no text: garbage \x00"),
            (lambda h: h.send(b"[" * 100_000), "it answered with no text: [[["),
            (lambda h: h.send(b"{}"), "it answered with no text: {}"),
            (lambda h: h.send(completion(None)), "it answered with no text: {"),
            (lambda h: h.send(b" " * (1 << 20) + b"{}"), "it answered with more than 1024 KiB"),
            (lambda h: h.wfile.write(b"nonsense\r\n\r\n"), "nonsense"),
            (lambda h: h.wfile.close(), "Remote end closed connection without response"),
        ],
    )
    async def test_it_is_one_line_that_names_the_server(
        self, answer: Callable[[Handler], None], message: str
    ) -> None:
        said = await refusal(answer)
        assert said.startswith(f"http://127.0.0.1:PORT: {message}".strip())
        assert "\n" not in said
        assert len(said) < 300

    async def test_a_redirect_is_not_followed(self) -> None:
        with open_model_server(says(VERDICT)) as elsewhere:
            location = f"http://127.0.0.1:{elsewhere.port}/v1/chat/completions"
            said = await refusal(lambda h: h.send(b"", ("Location", location), status=307))
        assert "HTTP 307" in said
        assert not elsewhere.asked

    async def test_no_server_is_one_line_too(self) -> None:
        with open_model_server(says(VERDICT)) as server:
            port = server.port
        with pytest.raises(AdvisorError, match=f"^http://127.0.0.1:{port}: .*Connection refused$"):
            await ask(asked(port), "judge")

    async def test_words_that_are_no_answer_are_told(self) -> None:
        label = "http://127.0.0.1:PORT"
        message = f"{label} exited with code 0: no verdict in the answer; it printed: Sorry"
        assert await refusal(says("Sorry")) == message

    async def test_half_a_surrogate_pair_is_no_trouble(self) -> None:
        with open_model_server(says("\ud800" + VERDICT)) as server:
            assert await ask(asked(server.port), "judge") == READ["judge"]

    async def test_a_huge_answer_is_cut_and_none(self) -> None:
        said = await refusal(says("x" * 200_000))
        assert "no verdict in the answer; it printed: xxx" in said

    async def test_an_endless_answer_is_given_up_on_at_its_limit(self) -> None:
        def flood(handler: Handler) -> None:
            handler.send_response(200)
            handler.end_headers()
            with suppress(OSError):
                while not handler.model_server.stopped.is_set():
                    handler.wfile.write(b"x" * 65536)

        with trio.fail_after(30):
            assert "more than 1024 KiB" in await refusal(flood)

    @pytest.mark.parametrize("begins", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
    async def test_a_server_that_hangs_is_given_up_on(self, begins: bytes) -> None:
        def begin(handler: Handler) -> None:
            handler.wfile.write(begins)
            hangs(handler)

        with open_model_server(begin) as server:
            with trio.fail_after(15), pytest.raises(AdvisorError, match="gave no answer in 1 s"):
                await ask(asked(server.port, timeout_secs=1), "judge")
            assert not processes_named(f"{server.port}/v1/chat/completions")

    async def test_a_cancel_ends_the_request(self) -> None:
        with open_model_server(hangs) as server, trio.fail_after(15):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask, asked(server.port), "judge")
                await trio.to_thread.run_sync(server.was_asked.wait, 10)
                nursery.cancel_scope.cancel()
            assert server.asked
            assert not processes_named(f"{server.port}/v1/chat/completions")


class TestAddress:
    @pytest.mark.parametrize(
        ("base_url", "url"),
        [
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
            ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/chat/completions"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/chat/completions"),
            ("HTTP://LocalHost/api", "http://localhost:80/api/v1/chat/completions"),
            ("http://127.9.9.9:1", "http://127.9.9.9:1/v1/chat/completions"),
            ("http://[::1]:8080", "http://[::1]:8080/v1/chat/completions"),
        ],
    )
    def test_the_chat_is_below_the_address(self, base_url: str, url: str) -> None:
        assert chat_url(base_url) == url

    @pytest.mark.parametrize(
        "base_url",
        [
            *(
                "http://example.org",
                "http://192.168.1.5:11434",
                "http://0.0.0.0:1",
                "http://[::]:1",
            ),
            *("http://localhost.example.org", "http://127.0.0.1.example.org", "http://127.1:1"),
            *("http://127.0.0.1@example.org", "http://me:pw@127.0.0.1", "http://127.0.0.1:x"),
            *("http://127.0.0.1:99999", "http://[fe80::1]:1", "http://[::ffff:8.8.8.8]:1"),
            *("https://127.0.0.1", "ftp://127.0.0.1", "127.0.0.1:11434", "localhost", "http://"),
            *(
                "http://127.0.0.1/?a=b",
                "http://127.0.0.1/#a",
                "http://127.0.0.1/\r\nX: y",
                "http:[",
            ),
            *("file:///etc/passwd", "http://127.0.0.1\\@example.org", "http://127.0.0.1/ x"),
        ],
    )
    def test_any_other_is_refused_in_one_line(self, base_url: str) -> None:
        with pytest.raises(ValueError, match=r"^ai.base_url [^\n]+ must be the address of [^\n]+$"):
            chat_url(base_url)
        with pytest.raises(ValueError, match=r"^ai.base_url "):
            advisor("ollama", model="x", base_url=base_url)

    def test_a_model_is_needed(self) -> None:
        with pytest.raises(ValueError, match=r"needs ai\.model"):
            advisor("ollama", base_url="http://127.0.0.1:11434")


class ElsewhereSocket(socket.socket):
    def getpeername(self) -> tuple[str, int]:
        return "192.0.2.1", 80


class ElsewhereConnection(HTTPConnection):
    """A connection to what the system says is localhost, and is not."""

    def connect(self) -> None:
        ours, self.peer = socket.socketpair()
        self.peer.shutdown(socket.SHUT_WR)  # no answer to wait for
        self.sock = ElsewhereSocket(fileno=ours.detach())


def test_a_name_that_leads_elsewhere_is_not_asked() -> None:
    connection = ElsewhereConnection("localhost")
    with pytest.raises(NoAnswer, match=r"^localhost is 192\.0\.2\.1, which is not this machine$"):
        post(connection, "/", b"{}")
    connection.close()
    with connection.peer:
        assert connection.peer.recv(1) == b""
