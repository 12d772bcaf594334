"""The services behind the programs, as far as one question goes, each in its own events."""

import json
from collections.abc import Callable
from typing import Any

from tests.adapters.advisor.model_server import Handler


def saying(answer: str) -> Callable[[Handler], None]:
    """Return what answers any question of any of the programs with `answer`."""

    def say(handler: Handler) -> None:
        request = handler.model_server.asked[-1]
        if handler.path.startswith("/v1/messages"):
            stream(handler, anthropic_events(request, answer))
        elif handler.path.startswith("/v1/responses"):
            stream(handler, openai_events(answer))
        else:
            stream(handler, google_events(answer))

    return say


def stream(handler: Handler, events: list[dict[str, Any]]) -> None:
    text = ""
    for each in events:
        name = f"event: {each['type']}\n" if "type" in each else ""
        text += f"{name}data: {json.dumps(each)}\n\n"
    handler.send(text.encode(), ("Content-Type", "text/event-stream"))


def anthropic_events(request: dict[str, Any], answer: str) -> list[dict[str, Any]]:
    """Claude answers in a schema by calling the one tool that it is given for it."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": request["model"]}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    block = {"type": "tool_use", "id": "t", "name": request["tools"][0]["name"], "input": {}}
    delta = {"type": "input_json_delta", "partial_json": answer}
    end = {"stop_reason": "tool_use", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": usage},
        {"type": "message_stop"},
    ]


def openai_events(answer: str) -> list[dict[str, Any]]:
    content = [{"type": "output_text", "text": answer, "annotations": []}]
    item = {"type": "message", "role": "assistant", "id": "m", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": "r", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]


def google_events(answer: str) -> list[dict[str, Any]]:
    content = {"role": "model", "parts": [{"text": answer}]}
    return [{"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}]
