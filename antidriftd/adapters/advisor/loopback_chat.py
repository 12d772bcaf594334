"""Asks a model server on this machine, as a program of its own: prompt in, answer out.

    python -I -S loopback_chat.py URL MODEL SCHEMA

A program, so that it has the limits, the end and the cleanup of any other. It speaks the chat
completions of OpenAI's API, which Ollama, llama.cpp, LM Studio and vLLM serve too. Standard library
only, so that it starts fast. It asks no proxy and follows no redirect.

The prompt comes on standard input. What the model says goes to standard output; if there is
nothing, one line on standard error says why, and the exit code is 1.
"""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from urllib.parse import urlsplit

MAX_ANSWER_BYTES = 1024 * 1024


class NoAnswer(Exception):
    """The server gave no answer; one line says why."""


def main(arguments: Sequence[str]) -> None:
    """Ask the server at URL for MODEL's answer, and print it.

    Raises:
        SystemExit: there is none; the message is printed by leaving.
    """
    url, model, schema = arguments
    question = _question(model, schema, sys.stdin.buffer.read().decode())
    parts = urlsplit(url)
    try:
        with closing(HTTPConnection(parts.hostname or "", parts.port)) as connection:
            answer = _words(post(connection, parts.path, question))
    except (NoAnswer, OSError, HTTPException) as error:
        sys.exit(str(error) or type(error).__name__)
    sys.stdout.buffer.write(answer.encode(errors="replace"))


def _question(model: str, schema: str, prompt: str) -> bytes:
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": json.loads(schema)},
    }
    return json.dumps(
        {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "response_format": response_format,
            "temperature": 0,
            "stream": False,
        }
    ).encode()


def post(connection: HTTPConnection, path: str, question: bytes) -> bytes:
    """Return the server's answer; a `connection` that leads off this machine is not used.

    Raises:
        NoAnswer: there is none that could be read on.
        OSError, HTTPException: the server was not reached, or did not speak HTTP.
    """
    connection.connect()
    address = connection.sock.getpeername()[0]
    if not ip_address(address).is_loopback:  # whatever the system makes of the name localhost
        raise NoAnswer(f"{connection.host} is {address}, which is not this machine")
    connection.request("POST", path, question, {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read(MAX_ANSWER_BYTES + 1)
    if len(body) > MAX_ANSWER_BYTES:
        raise NoAnswer(f"it answered with more than {MAX_ANSWER_BYTES // 1024} KiB")
    if response.status != 200:
        raise NoAnswer(f"it answered with HTTP {response.status}: {_complaint(body)}")
    return body


def _complaint(body: bytes) -> str:
    match _decoded(body):
        case {"error": {"message": str(message)}} | {"error": str(message)}:
            return message
        case _:
            return body.decode(errors="replace")


def _words(body: bytes) -> str:
    match _decoded(body):
        case {"choices": [{"message": {"content": str(words)}}, *_]}:
            return words
        case _:
            raise NoAnswer(f"it answered with no text: {body.decode(errors='replace')}")


def _decoded(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


if __name__ == "__main__":
    main(sys.argv[1:])
