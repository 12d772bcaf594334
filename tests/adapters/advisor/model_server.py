"""A model server on this machine: answers each request as the test says, over real HTTP."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelServer(ThreadingHTTPServer):
    """Notes what it is asked; `answer` answers, in a thread of the request's own."""

    def __init__(self, host: str, answer: Callable[["Handler"], None]) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.was_asked = threading.Event()
        self.stopped = threading.Event()
        super().__init__((host, 0), Handler)

    @property
    def port(self) -> int:
        port = self.server_address[1]
        assert isinstance(port, int)
        return port


class Handler(BaseHTTPRequestHandler):
    @property
    def model_server(self) -> ModelServer:
        assert isinstance(self.server, ModelServer)
        return self.server

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.model_server.asked.append(json.loads(self.rfile.read(size)))
        self.model_server.paths.append(self.path)
        self.model_server.was_asked.set()
        self.model_server.answer(self)

    def log_message(self, *_: object) -> None:
        pass

    def send(self, body: bytes, *headers: tuple[str, str], status: int = 200) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def completion(words: object) -> bytes:
    """Return a chat completion as Ollama, llama.cpp and OpenAI give it."""
    message = {"role": "assistant", "content": words}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice]}).encode()


@contextmanager
def open_model_server(
    answer: Callable[[Handler], None], host: str = "127.0.0.1"
) -> Iterator[ModelServer]:
    with ModelServer(host, answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.stopped.set()
            server.shutdown()
            thread.join()
