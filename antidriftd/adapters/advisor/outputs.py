"""Finds the model's answer, or the program's own complaint, in what each program prints."""

import json
from dataclasses import dataclass

from antidriftd.adapters.advisor.search import find_objects
from antidriftd.programs.process import Outcome

# google-gemini/gemini-cli, packages/core/src/utils/exitCodes.ts: FATAL_AUTHENTICATION_ERROR
_GEMINI_UNAUTHENTICATED = 41


@dataclass(frozen=True, slots=True)
class Said:
    """What a program said: the model's words, or else what went wrong; both may be empty."""

    answer: str = ""
    trouble: str = ""


def read_text(outcome: Outcome) -> Said:
    """Read a program that prints the model's words as they are (`ollama`, `llm`, any command)."""
    return Said(answer=_text(outcome.stdout))


def read_text_or_complaint(outcome: Outcome) -> Said:
    """Read a program that prints either the model's words or, on standard error, its trouble."""
    return Said(answer=_text(outcome.stdout), trouble=_text(outcome.stderr))


def read_claude(outcome: Outcome) -> Said:
    """Read `claude --output-format json`: one object, whose `subtype` may say success wrongly."""
    text = _text(outcome.stdout)
    results = [found for found in find_objects(text, _as_object) if found.get("type") == "result"]
    match results[-1:]:
        case [{"is_error": True, "result": str(trouble)}]:
            return Said(trouble=trouble)
        case [{"is_error": True, "subtype": str(trouble)}]:
            return Said(trouble=trouble)
        case [{"structured_output": dict(answer)}]:
            return Said(answer=json.dumps(answer))
        case [{"result": str(answer)}]:
            return Said(answer=answer)
        case _:
            return Said(answer=text)


def read_codex(outcome: Outcome) -> Said:
    """Read `codex exec --json`: an event a line; the last message of the agent is the answer."""
    text = _text(outcome.stdout)
    answer = failure = error = warning = ""
    events = [found for found in find_objects(text, _as_object) if "type" in found]
    for event in events:
        match event:
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(words)}}:
                answer = words
            case {"type": "turn.failed", "error": {"message": str(words)}}:
                failure = words
            case {"type": "error", "message": str(words)}:
                error = words
            case {"type": "item.completed", "item": {"type": "error", "message": str(words)}}:
                warning = words
    return Said(answer, failure or error or warning) if events else Said(answer=text)


def read_gemini(outcome: Outcome) -> Said:
    """Read `gemini -o json`: one object, on standard error when it holds an error."""
    text = _text(outcome.stdout)
    for stream in (text, _text(outcome.stderr)):
        for found in find_objects(stream, _as_object):
            match found:
                case {"error": {"message": str(trouble)}}:
                    return Said(trouble=_explained(trouble, outcome))
                case {"response": str(answer)}:
                    return Said(answer=answer)
    return Said(answer=text)


def _explained(trouble: str, outcome: Outcome) -> str:
    if outcome.exit_code != _GEMINI_UNAUTHENTICATED:
        return trouble
    # It runs with a home of its own, so what it says of its settings would mislead.
    return f"no key reaches it; have ai.pass_env name GEMINI_API_KEY ({trouble})"


def _as_object(value: object) -> dict[str, object] | None:
    return value if isinstance(value, dict) else None


def _text(stream: bytes) -> str:
    return stream.decode(errors="replace")
