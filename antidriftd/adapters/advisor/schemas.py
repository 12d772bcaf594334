"""The JSON Schemas of the answers, for the programs that can hold a model to one.

Each names every member as required and allows no other, as OpenAI's strict mode wants it; what they
can't say, and what a program doesn't hold to, the reading of the answer checks.
"""

import json
from collections.abc import Mapping

_TEXT = {"type": "string"}


def _schema(members: Mapping[str, object]) -> str:
    return json.dumps(
        {
            "type": "object",
            "properties": members,
            "required": list(members),
            "additionalProperties": False,
        }
    )


VERDICT_SCHEMA = _schema({"on_task": {"type": ["boolean", "null"]}, "reason": _TEXT})

PROPOSAL_SCHEMA = _schema(
    {
        "next_action": _TEXT,
        "success_condition": _TEXT,
        "timebox_minutes": {"type": "integer"},
        "allowed_window_classes": {"type": "array", "items": _TEXT},
    }
)

_NO_OR_TEXT = {"type": ["string", "null"]}

JUDGMENT_SCHEMA = _schema(
    {
        "outcomes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "candidate": _TEXT,
                    "verdict": {"enum": ["promote", "merge", "supersede", "drop"]},
                    "code": {
                        "enum": [
                            *("durable", "duplicate", "task-only"),
                            *("known", "unverified", "excluded"),
                        ]
                    },
                    "reason": _TEXT,
                    "text": _NO_OR_TEXT,
                    "as_of": _NO_OR_TEXT,
                    "target": _NO_OR_TEXT,
                },
                "required": [
                    *("candidate", "verdict", "code", "reason", "text", "as_of", "target"),
                ],
                "additionalProperties": False,
            },
        }
    }
)

NUDGE_SCHEMA = _schema({"nudge": _TEXT})
