"""The real AI programs on a service of ours: asked once, given no tools, and nothing else run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.advisor.asked import ANSWERS, READ, advisor, ask
from tests.adapters.advisor.model_server import open_model_server
from tests.campaign.service import saying


def surroundings(port: int) -> Mapping[str, str]:
    """Return the variables that lead each program to the service, in place of a login."""
    here = f"http://127.0.0.1:{port}"
    return {
        "ANTHROPIC_BASE_URL": here,
        "ANTHROPIC_API_KEY": "x",
        "CODEX_API_KEY": "x",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_VERTEX_BASE_URL": here,
        "GOOGLE_API_KEY": "x",
    }


def plant(home: Path, ran: Path) -> None:
    """Give the user hooks, servers and memories that would all leave a trace."""
    hook = {"hooks": [{"type": "command", "command": f"touch {ran}"}]}
    hooks = {name: [hook] for name in ("SessionStart", "UserPromptSubmit", "BeforeAgent", "Stop")}
    server = {"mcpServers": {"x": {"command": "touch", "args": [str(ran)]}}}
    texts = {
        ".claude/settings.json": json.dumps({"hooks": hooks}),
        ".claude.json": json.dumps(server),
        ".claude/CLAUDE.md": "CANARY-MEMORY",
        ".codex/hooks.json": json.dumps({"hooks": hooks}),
        ".codex/config.toml": f'[mcp_servers.x]\ncommand = "touch"\nargs = ["{ran}"]\n',
        ".gemini/settings.json": json.dumps({"hooks": hooks, **server}),
        ".gemini/GEMINI.md": "CANARY-MEMORY",
    }
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)


def tools(backend: str, request: dict[str, Any]) -> list[str]:
    """Return the names of the tools that the model is offered, codex's harmless ones left out."""
    match backend:
        case "claude":
            return [tool["name"] for tool in request["tools"]]
        case "gemini":
            return [each for tool in request["tools"] for each in tool["functionDeclarations"]]
        case _:
            shell = ("{ exec_command(", '"name": "shell"', '"name": "web_search"')
            return [name for name in shell if name in json.dumps(request)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", ANSWERS)
@pytest.mark.parametrize("backend", ["claude", "codex", "gemini"])
async def test_one_question_is_asked_and_answered_without_tools_hooks_or_memories(
    backend: str, role: str, environ: dict[str, str], tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    plant(Path(environ["HOME"]), ran)
    with open_model_server(saying(ANSWERS[role])) as server:
        given = surroundings(server.port)
        here = f'codex -c openai_base_url="http://127.0.0.1:{server.port}/v1"'
        asked = advisor(
            backend,
            here if backend == "codex" else "",
            timeout_secs=90,
            environ=environ | dict(given),
            pass_env=given,
        )
        assert await ask(asked, role) == READ[role]
    (request,) = server.asked
    assert tools(backend, request) == (["StructuredOutput"] if backend == "claude" else [])
    assert "CANARY-MEMORY" not in json.dumps(request)
    assert not ran.exists()
