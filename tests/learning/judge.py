"""A fake AI program that weighs evidence by rules in a file, and records what it was asked."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fakes.ai import write_program

_PROGRAM = """
here = sys.argv[1]
prompt = sys.stdin.read()
with open(here + "/asked", "a") as asked:
    asked.write(json.dumps(prompt) + "\\n")
if "timebox_minutes" in prompt:
    print(json.dumps({"next_action": "write the outline", "success_condition": "five headings",
                      "timebox_minutes": 25, "allowed_window_classes": []}))
    sys.exit()
if "on_task" in prompt:
    print(json.dumps({"on_task": False, "reason": "a side trip"}))
    sys.exit()
if "outcomes" not in prompt:
    print(json.dumps({"nudge": ""}))
    sys.exit()
while os.path.exists(here + "/think"):
    time.sleep(0.02)
if os.path.exists(here + "/answer"):
    print(open(here + "/answer").read())
    sys.exit()
data = json.loads(prompt.partition("<data>\\n")[2].partition("\\n</data>")[0])
rules = json.load(open(here + "/rules.json"))
outcomes = []
for session in data["sessions"]:
    for candidate in session["candidates"]:
        said = {"verdict": "drop", "code": "task-only", "reason": "of that task only"}
        for rule in rules:
            if rule["contains"] in candidate["claim"]:
                said = {key: value for key, value in rule.items() if key != "contains"}
                break
        outcomes.append({"candidate": candidate["candidate"], **said})
print("Sure, here it is:")
print(json.dumps({"outcomes": outcomes}))
"""


class FakeJudge:
    """What the program is told, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.program = write_program(folder, _PROGRAM, "judge")
        self.rules()

    @property
    def command(self) -> str:
        """The command line, for ANTIDRIFT_AI_CMD."""
        return f"{self.program} {self._folder}"

    def rules(self, *rules: dict[str, Any]) -> None:
        """Answer by these rules; a candidate that none is about is dropped."""
        (self._folder / "rules.json").write_text(json.dumps(rules))

    def answers(self, text: str) -> None:
        """Answer with this text, whatever is asked."""
        (self._folder / "answer").write_text(text)

    def think(self) -> None:
        """Think, and give no answer yet."""
        (self._folder / "think").touch()

    def answer_now(self) -> None:
        """Stop thinking."""
        (self._folder / "think").unlink(missing_ok=True)

    @property
    def asked(self) -> list[str]:
        """All prompts of whatever kind, in order."""
        path = self._folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def weighed(self) -> list[str]:
        """The prompts that were about evidence."""
        return [prompt for prompt in self.asked if '"outcomes"' in prompt]


def promote(contains: str, text: str, **more: Any) -> dict[str, Any]:
    """Return the rule that makes an entry of a claim."""
    return _rule(contains, "promote", "durable", text, more)


def merge(contains: str, target: str, text: str, **more: Any) -> dict[str, Any]:
    """Return the rule that adds a claim to an entry."""
    return _rule(contains, "merge", "durable", text, {"target": target, **more})


def supersede(contains: str, target: str, text: str, **more: Any) -> dict[str, Any]:
    """Return the rule that puts a claim in the place of an entry."""
    return _rule(contains, "supersede", "durable", text, {"target": target, **more})


def drop(contains: str, code: str) -> dict[str, Any]:
    """Return the rule that drops a claim."""
    return {"contains": contains, "verdict": "drop", "code": code, "reason": f"it is {code}"}


def _rule(
    contains: str, verdict: str, code: str, text: str, more: dict[str, Any]
) -> dict[str, Any]:
    reason = f"the person said so ({verdict})"
    return {
        "contains": contains,
        "verdict": verdict,
        "code": code,
        "reason": reason,
        "text": text,
        **more,
    }


def data_of(prompt: str) -> dict[str, Any]:
    """Return the data that a prompt about evidence holds."""
    data: dict[str, Any] = json.loads(prompt.partition("<data>\n")[2].partition("\n</data>")[0])
    return data


def claims_of(prompt: str) -> Sequence[str]:
    """Return the claims that a prompt about evidence holds."""
    sessions = data_of(prompt)["sessions"]
    return [each["claim"] for session in sessions for each in session["candidates"]]
