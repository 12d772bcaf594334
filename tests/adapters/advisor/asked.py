"""A program advisor made with little to say, and programs that print as the real ones do."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import trio

from antidriftd.adapters.advisor.programs import ProgramAdvisor, program_advisor
from antidriftd.core.model import Commitment, Digest, Proposal, Verdict, Window

DATA = Path(__file__).with_name("data")
PATH = "/usr/bin:/bin"

COMMITMENT = Commitment("write the report", "it is sent", 1500)
WINDOW = Window("firefox", "Ticket 12 - Mozilla Firefox")
DIGEST = Digest(1200, 300, 700, 300, 31, 2, (("code", 700), ("firefox", 300)))
INTENT = "get the report done"

VERDICT = '{"on_task": true, "reason": "the ticket is in the title"}'
PROPOSAL = (
    '{"next_action": "Write the summary", "success_condition": "it is in the report", '
    '"timebox_minutes": 25, "allowed_window_classes": ["code"]}'
)
NUDGE = '{"nudge": "Ten minutes left."}'

EVERY_ANSWER = json.dumps(json.loads(VERDICT) | json.loads(PROPOSAL) | json.loads(NUDGE))
"""Serves any question: members that were not asked for are ignored."""

ANSWERS: Mapping[str, str] = {"judge": VERDICT, "coach": PROPOSAL, "nudge": NUDGE}
READ: Mapping[str, Verdict | Proposal | str] = {
    "judge": Verdict(True, "the ticket is in the title"),
    "coach": Proposal("Write the summary", "it is in the report", 1500, ("code",)),
    "nudge": "Ten minutes left.",
}


def advisor(
    backend: str,
    command: str = "",
    *,
    model: str = "",
    base_url: str = "",
    timeout_secs: float = 60,
    environ: Mapping[str, str] | None = None,
    pass_env: Iterable[str] = ("JUDGE_KEY",),
) -> ProgramAdvisor:
    return program_advisor(
        backend,
        command=command,
        model=model,
        base_url=base_url,
        judge_timeout_secs=timeout_secs,
        coach_timeout_secs=timeout_secs,
        environ={"PATH": PATH} | dict(environ or {}),
        pass_env=pass_env,
    )


async def ask(
    asked: ProgramAdvisor, role: str, *, grounding: str = "", text: str = ""
) -> Verdict | Proposal | str:
    """Ask in `role`; `text` takes the place of what the role has from outside."""
    match role:
        case "judge":
            return await asked.judge(COMMITMENT, Window("firefox", text) if text else WINDOW)
        case "coach":
            return await asked.coach(text or INTENT, grounding)
        case _:
            digest = Digest(1, 2, 3, 4, 5, 6, ((text, 7),)) if text else DIGEST
            return await asked.nudge(COMMITMENT, digest)


def printed(backend: str, answer: str) -> str:
    """Return what the program of `backend` prints to standard output around `answer`."""
    match backend:
        case "claude":
            envelope = json.loads((DATA / "claude_answer.json").read_text())
            found = {"result": answer, "structured_output": json.loads(answer)}
            return json.dumps(envelope | found) + "\n"
        case "codex":
            events = (DATA / "codex_answer.jsonl").read_text().splitlines()
            parsed = [json.loads(event) for event in events]
            for event in parsed:
                if event.get("item", {}).get("type") == "agent_message":
                    event["item"]["text"] = answer
            return "\n".join(map(json.dumps, parsed)) + "\n"
        case "gemini":
            envelope = json.loads((DATA / "gemini_answer.json").read_text())
            return json.dumps(envelope | {"response": answer}, indent=2)
        case _:
            return answer + "\n"


def records(into: Path, stdout: str, *, stderr: str = "", exit_code: int = 0) -> str:
    """Return the body of a program that notes all it was given, a line a run, and then prints."""
    return f"""
files = {{}}
for folder, _, names in os.walk("."):
    for name in names:
        path = os.path.join(folder, name)
        files[path[2:]] = open(path, encoding="utf-8").read()
note = {{"argv": sys.argv[1:], "environ": dict(os.environ), "files": files}}
note["cmdline"] = open("/proc/self/cmdline").read()
note["stdin"] = sys.stdin.read()
with open({str(into)!r}, "a") as out:
    print(json.dumps(note), file=out)
os.write(1, {stdout.encode()!r})
os.write(2, {stderr.encode()!r})
os._exit({exit_code})
"""


async def recorded(path: Path) -> list[dict[str, Any]]:
    text = await trio.Path(path).read_text()
    return [json.loads(line) for line in text.splitlines()]
