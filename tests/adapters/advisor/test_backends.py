"""Each AI program, played by a fake that prints what the real one did: how it is asked and read."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.programs import ProgramAdvisor
from tests.adapters.advisor.asked import (
    ANSWERS,
    DATA,
    EVERY_ANSWER,
    PATH,
    READ,
    VERDICT,
    advisor,
    ask,
    printed,
    recorded,
    records,
)
from tests.fakes.ai import answers, write_program

NAMED = ["claude", "codex", "gemini", "ollama", "llm"]
ENVIRON = {"HOME": "/nowhere", "LANG": "C.UTF-8"}
PROFILE = "I am CANARY-PROFILE."
TEXT = "CANARY-TEXT"


def named(
    folder: Path, backend: str, *, model: str = "", environ: Mapping[str, str] | None = None
) -> ProgramAdvisor:
    return advisor(
        backend,
        model=model or ("llama3.2" if backend == "ollama" else ""),
        environ={"PATH": f"{folder}:{PATH}", **ENVIRON, "OTHER": "x"} | dict(environ or {}),
    )


async def judged(folder: Path, backend: str, **more: Any) -> dict[str, Any]:
    """Return what the program of `backend` was given for one judgment."""
    write_program(folder, records(folder / "noted", printed(backend, VERDICT)), backend)
    await ask(named(folder, backend, **more), "judge")
    (noted,) = await recorded(folder / "noted")
    return noted


async def refusal(folder: Path, backend: str, body: str) -> str:
    write_program(folder, body, backend)
    with pytest.raises(AdvisorError) as caught:
        await ask(named(folder, backend), "judge")
    return str(caught.value)


@pytest.mark.parametrize("backend", NAMED)
class TestEach:
    @pytest.mark.parametrize("role", ANSWERS)
    async def test_its_answer_is_found_in_what_it_prints(
        self, tmp_path: Path, backend: str, role: str
    ) -> None:
        write_program(tmp_path, answers(printed(backend, ANSWERS[role])), backend)
        asked = named(tmp_path, backend)
        assert await ask(asked, role) == READ[role]
        assert (asked.name, asked.free) == (backend, False)

    async def test_its_answer_may_stand_among_chatter(self, tmp_path: Path, backend: str) -> None:
        text = f"Hello {{}}!\nLoaded cached credentials.\n{printed(backend, VERDICT)}\nBye\n"
        write_program(tmp_path, answers(text, stderr='{"error": {"message": "x"}}'), backend)
        assert await ask(named(tmp_path, backend), "judge") == READ["judge"]

    async def test_a_bare_answer_is_taken_too(self, tmp_path: Path, backend: str) -> None:
        write_program(tmp_path, answers(f"```json\n{VERDICT}\n```", exit_code=1), backend)
        assert await ask(named(tmp_path, backend), "judge") == READ["judge"]

    async def test_what_is_private_is_on_standard_input_and_nowhere_else(
        self, tmp_path: Path, backend: str
    ) -> None:
        into = tmp_path / "noted"
        write_program(tmp_path, records(into, printed(backend, EVERY_ANSWER)), backend)
        asked = named(tmp_path, backend)
        for role in ANSWERS:
            await ask(asked, role, grounding=PROFILE, text=TEXT)
            await ask(asked, role)
        notes = await recorded(into)
        assert [TEXT in noted["stdin"] for noted in notes] == [True, False] * 3
        assert ["CANARY-PROFILE" in noted.pop("stdin") for noted in notes] == [
            *(False, False),  # the judge
            *(True, False),  # the coach, grounded and not
            *(False, False),  # the nudge
        ]
        assert "CANARY" not in json.dumps(notes)
        assert "report" not in json.dumps(notes)
        # What remains, the arguments, the environment and the files, is the same for any question.
        assert notes[0::2] == notes[1::2]

    async def test_it_gets_a_part_of_the_environment_and_what_is_named(
        self, tmp_path: Path, backend: str
    ) -> None:
        environ = (await judged(tmp_path, backend, environ={"JUDGE_KEY": "k"}))["environ"]
        own = {name: environ.pop(name) for name in list(environ) if name.startswith("GEMINI_")}
        assert environ == {"PATH": f"{tmp_path}:{PATH}", **ENVIRON, "JUDGE_KEY": "k"}
        assert bool(own) is (backend == "gemini")

    async def test_a_model_that_is_set_is_asked_for(self, tmp_path: Path, backend: str) -> None:
        assert "my-model" in (await judged(tmp_path, backend, model="my-model"))["argv"]

    @pytest.mark.parametrize("text", ["", "I can't help with that.", '{"on_task": "yes"}'])
    async def test_no_answer_is_one_line_with_what_was_printed(
        self, tmp_path: Path, backend: str, text: str
    ) -> None:
        message = await refusal(tmp_path, backend, answers(text, exit_code=3))
        seen = f"it printed: {text}" if text else "it printed nothing"
        assert message == f"{backend} exited with code 3: no verdict in the answer; {seen}"

    async def test_half_an_answer_is_none(self, tmp_path: Path, backend: str) -> None:
        text = printed(backend, VERDICT)
        cut = text[: text.index("on_task") + 12]
        message = await refusal(tmp_path, backend, answers(cut))
        assert "\n" not in message
        assert message.startswith((f"{backend} exited with code 0: no verdict", f"{backend}: "))


def real(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


NO_VERDICT = "{} exited with code 1: no verdict in the answer; it printed: {}"
GEMINI_WITHOUT_A_KEY = (
    "gemini: no key reaches it; have ai.pass_env name GEMINI_API_KEY (Please set an Auth method in "
    "your home/.gemini/settings.json or specify one of the following environment variables before "
    "running: GEMINI_API_…"
)


class TestComplaints:
    """What the real programs said without credentials or without a network."""

    @pytest.mark.parametrize(
        ("backend", "body", "message"),
        [
            (
                "claude",
                answers(real("claude_refusal.json"), exit_code=1),
                "claude: Not logged in · Please run /login",
            ),
            (
                "claude",
                answers("", stderr="error: unknown option '--name'\n", exit_code=1),
                NO_VERDICT.format("claude", "error: unknown option '--name'"),
            ),
            (
                "claude",
                answers('{"type": "result", "subtype": "error_max_turns", "is_error": true}'),
                "claude: error_max_turns",
            ),
            (
                "codex",
                answers(real("codex_refusal.jsonl"), stderr="ERROR noise", exit_code=1),
                "codex: Connection failed: error sending request",
            ),
            (
                "codex",
                answers('{"type": "error", "message": "one"}\n{"type": "error", "message": "two"}'),
                "codex: two",
            ),
            (
                "gemini",
                answers("", stderr=real("gemini_refusal.json"), exit_code=41),
                GEMINI_WITHOUT_A_KEY,
            ),
            (
                "gemini",
                answers('{"session_id": "x", "error": {"message": "quota\\nspent", "code": 1}}'),
                "gemini: quota spent",
            ),
            (
                "llm",
                answers("", stderr="Error: No key found - add one\n", exit_code=1),
                NO_VERDICT.format("llm", "Error: No key found - add one"),
            ),
            (
                "ollama",
                answers("", stderr="Error: model 'x' not found", exit_code=1),
                NO_VERDICT.format("ollama", "Error: model 'x' not found"),
            ),
        ],
    )
    async def test_a_complaint_reaches_the_user_as_one_line(
        self, tmp_path: Path, backend: str, body: str, message: str
    ) -> None:
        assert await refusal(tmp_path, backend, body) == message

    async def test_a_time_out_tells_what_the_program_last_complained_of(
        self, tmp_path: Path
    ) -> None:
        event = '{"type": "error", "message": "Reconnecting... waiting for network"}\n'
        write_program(tmp_path, f"os.write(1, {event.encode()!r}); sleep()", "codex")
        asked = advisor("codex", timeout_secs=1, environ={"PATH": f"{tmp_path}:{PATH}"})
        with pytest.raises(AdvisorError) as caught:
            await ask(asked, "judge")
        assert str(caught.value) == (
            "codex gave no answer in 1 s; it said: Reconnecting... waiting for network"
        )

    async def test_an_error_of_claude_that_looks_like_an_answer_is_none(
        self, tmp_path: Path
    ) -> None:
        envelope = {"type": "result", "subtype": "success", "is_error": True, "result": VERDICT}
        message = await refusal(tmp_path, "claude", answers(json.dumps(envelope)))
        assert message == f"claude: {VERDICT}"


class TestNothingButAnAnswer:
    """Tools, hooks, settings and memories are switched off, each in the program's own way."""

    async def test_claude(self, tmp_path: Path) -> None:
        argv = (await judged(tmp_path, "claude"))["argv"]
        options = dict(pairwise(argv))
        assert argv[0] == "-p"
        assert options["--tools"] == options["--setting-sources"] == ""
        assert {"--strict-mcp-config", "--disable-slash-commands"} < set(argv)
        assert "--no-session-persistence" in argv
        assert options["--model"] == "haiku"
        assert json.loads(options["--json-schema"])["required"] == ["on_task", "reason"]

    async def test_codex(self, tmp_path: Path) -> None:
        noted = await judged(tmp_path, "codex")
        argv = noted["argv"]
        options = dict(pairwise(argv))
        assert (argv[0], argv[-1]) == ("exec", "-")
        assert options["--sandbox"] == "read-only"
        assert {"--ephemeral", "--ignore-user-config", "--ignore-rules"} < set(argv)
        for feature in ("shell_tool", "hooks", "plugins", "apps", "memories"):
            assert f"-cfeatures.{feature}=false" in argv
        schema = json.loads(noted["files"][options["--output-schema"]])
        assert schema["required"] == ["on_task", "reason"]
        assert "--model" not in argv

    async def test_gemini(self, tmp_path: Path) -> None:
        noted = await judged(tmp_path, "gemini")
        options = dict(pairwise(noted["argv"]))
        home = noted["environ"]["GEMINI_CLI_HOME"]
        settings = json.loads(noted["files"][f"{home}/.gemini/settings.json"])
        assert settings["tools"]["core"] == []
        assert noted["environ"]["GEMINI_SYSTEM_MD"] in noted["files"]
        assert options["--extensions"] == options["--allowed-mcp-server-names"] == "none"
        assert options["--model"] == "flash"

    async def test_ollama(self, tmp_path: Path) -> None:
        argv = (await judged(tmp_path, "ollama"))["argv"]
        assert argv[:2] == ["run", "llama3.2"]
        assert {"--think=false", "--hidethinking", "--nowordwrap"} < set(argv)

    async def test_llm(self, tmp_path: Path) -> None:
        argv = (await judged(tmp_path, "llm"))["argv"]
        assert {"--no-log", "--no-stream"} < set(argv)
        assert "--model" not in argv
        assert json.loads(argv[argv.index("--schema") + 1])["type"] == "object"
