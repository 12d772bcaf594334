"""A whole session with a profile: its text reaches the coach's prompt, and nothing else at all."""

import json
from pathlib import Path
from typing import Any

import trio

from tests.clients import State
from tests.daemons import Daemon, open_daemon
from tests.fakes.ai import write_program

CANARY = "I breed canaries in Ghent"

ADVISOR = """
prompt = sys.stdin.read()
with open(sys.argv[1] + "/calls", "a") as calls:
    parents, pid = [], os.getppid()
    while pid > 1:
        status = open(f"/proc/{pid}/status").read()
        parents += [open(f"/proc/{pid}/{name}").read() for name in ("cmdline", "environ")]
        pid = int(status.partition("PPid:")[2].split()[0])
    own = {"argv": sys.argv, "environ": dict(os.environ), "files": os.listdir(".")}
    calls.write(json.dumps({"prompt": prompt, "own": own, "parents": parents}) + "\\n")
if "success_condition" in prompt and "on_task" not in prompt and "nudge" not in prompt:
    print(json.dumps({"next_action": "write the outline", "success_condition": "five headings",
                      "timebox_minutes": 30, "allowed_window_classes": ["demo-editor"]}))
elif "on_task" in prompt:
    print(json.dumps({"on_task": False, "reason": "a side trip"}))
else:
    print(json.dumps({"nudge": "keep going"}))
"""

WINDOWS = [
    {"at": 0, "class": "demo-editor", "title": "outline.md"},
    {"at": 4, "class": "Calculator", "title": "Calculator"},
]


async def test_the_profile_reaches_the_coach_and_nobody_else(tmp_path: Path) -> None:
    advisor = write_program(tmp_path, ADVISOR, "advisor")
    profile = tmp_path / "me.md"
    profile.write_text(f"# Me\n{CANARY}\n")
    replay = tmp_path / "day.jsonl"
    replay.write_text("".join(json.dumps(window) + "\n" for window in WINDOWS))
    env = {"ANTIDRIFT_AI_CMD": f"{advisor} {tmp_path}", "ANTIDRIFT_KNOWLEDGE_FILE": str(profile)}
    heard: list[State] = []

    async with open_daemon(
        tmp_path,
        sensor=f"replay:{replay}",
        ai="command",
        env=env,
        config="[nudge]\nevery_secs = 1\n",
        arguments=["--log-level", "debug"],
    ) as daemon:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_listen, daemon, heard)
            await _play(daemon)
            nursery.cancel_scope.cancel()
        log, snapshot = daemon.log, daemon.home.snapshot.read_text()

    calls = [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]
    coached, others = calls[0], calls[1:]
    assert CANARY in coached.pop("prompt")
    assert {_kind(call["prompt"]) for call in others} == {"judge", "nudge"}
    for text in (json.dumps(coached), json.dumps(others), json.dumps(heard), log, snapshot):
        assert CANARY not in text
        assert "canaries" not in text
    assert any(state.get("knowledge", {}).get("chars") for state in heard)


async def _listen(daemon: Daemon, heard: list[State]) -> None:
    async with daemon.watch() as states:
        while True:
            heard.append(await anext(states))


async def _play(daemon: Daemon) -> None:
    await daemon.request("coach", intent="the talk")
    ready = await daemon.wait_state(lambda state: state["coach"]["status"] != "pending")
    assert ready["coach"]["proposal"]["next_action"] == "write the outline"
    assert ready["knowledge"]["status"] == "ready"
    started = await daemon.request("start")
    assert started["commitment"]["success_condition"] == "five headings"
    assert started["commitment"]["timebox_secs"] == 1800
    await daemon.wait_state(lambda state: state.get("nudge", {}).get("text") == "keep going")
    await daemon.wait_state(lambda state: state["drift"]["status"] == "drifting")
    await daemon.request("why")
    await daemon.request("refocus")
    await daemon.request("complete")
    await daemon.request("review", outcome="done", note="well")
    await daemon.request("info")


def _kind(prompt: str) -> Any:
    return "judge" if "on_task" in prompt else "nudge" if "nudge" in prompt else prompt
