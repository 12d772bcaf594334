"""How each AI program is run: without tools, hooks or a memory, and on constant arguments.

Whatever is private is in the prompt, on standard input. The facts about each program were seen with
claude 2.1.197, codex 0.171.0, gemini 0.61.0 and llm 0.36; ollama's are from its documentation.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from antidriftd.adapters.advisor import loopback_chat
from antidriftd.adapters.advisor.loopback import chat_url
from antidriftd.adapters.advisor.outputs import (
    Said,
    read_claude,
    read_codex,
    read_gemini,
    read_text,
    read_text_or_complaint,
)
from antidriftd.programs.process import Outcome


@dataclass(frozen=True, slots=True)
class Invocation:
    """What a program gets besides its prompt; all of it constant."""

    arguments: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts by path in its private directory."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """What is added to its environment."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One AI program."""

    program: str
    """Its name or its absolute path; empty where only the user knows it."""
    invoke: Callable[[str, str], Invocation]
    """Says for a model, maybe empty, and a JSON Schema how it is run."""
    read: Callable[[Outcome], Said]
    model: str = ""
    """The model where the user names none; empty leaves it to the program."""
    needs_model: bool = False
    label: str = ""
    """What messages call it; empty for the program's own name."""


def loopback_backend(base_url: str) -> Backend:
    """Return the backend of a model server on this machine, asked by a program of ours.

    Raises:
        ValueError: `base_url` is no address of this machine; the message is one line.
    """
    url = chat_url(base_url)

    def invoke(model: str, schema: str) -> Invocation:
        return Invocation(("-I", "-S", str(Path(loopback_chat.__file__)), url, model, schema))

    return Backend(sys.executable, invoke, read_text_or_complaint, needs_model=True, label=base_url)


def _command(model: str, schema: str) -> Invocation:
    del model, schema
    return Invocation()


def _claude(model: str, schema: str) -> Invocation:
    return Invocation(
        (
            *("-p", "--output-format", "json", "--json-schema", schema, "--model", model),
            # An empty list of tools is none; --allowedTools would only pre-approve.
            *("--tools", "", "--strict-mcp-config", "--disable-slash-commands", "--no-chrome"),
            # No settings, so no hooks and no plugins; the login is not one of them.
            *("--setting-sources", "", "--no-session-persistence"),
            # A session without a name costs a second call to the model, for a title.
            *("--name", "antidrift", "--system-prompt", _INSTRUCTIONS),
        )
    )


def _codex(model: str, schema: str) -> Invocation:
    # As -c and not --disable: a feature that another version doesn't know is only remarked on.
    off = (f"-cfeatures.{name}=false" for name in _CODEX_FEATURES_OFF)
    return Invocation(
        (
            *("exec", "--json", "--color", "never", "--output-schema", "schema.json"),
            *("--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral"),
            *("--ignore-user-config", "--ignore-rules", *off, '-cweb_search="disabled"'),
            *("-cproject_doc_max_bytes=0", "-cskills.include_instructions=false"),
            *(("--model", model) if model else ()),
            "-",
        ),
        files={"schema.json": schema},
    )


_CODEX_FEATURES_OFF = (
    *("shell_tool", "unified_exec", "apps", "browser_use", "computer_use", "image_generation"),
    *("multi_agent", "goals", "hooks", "plugins", "tool_suggest", "memories", "sleep_tool"),
    "unbounded_connection_retries",  # without a network it would try for ever
)


def _gemini(model: str, schema: str) -> Invocation:
    """Say how gemini is run, which takes no schema.

    Its arguments alone keep no hooks, tools and memory out, nor the prompt off the disk: it writes
    each chat below its home. So it gets a home in the private directory, with settings of ours.
    """
    del schema
    return Invocation(
        (
            *("--output-format", "json", "--prompt", "", "--model", model),
            *("--approval-mode", "plan", "--skip-trust", "--extensions", "none"),
            *("--allowed-mcp-server-names", "none"),
        ),
        files={
            "home/.gemini/settings.json": json.dumps(
                {
                    "tools": {"core": []},
                    "skills": {"enabled": False},
                    "general": {"enableAutoUpdate": False, "topicUpdateNarration": False},
                }
            ),
            "system.md": _INSTRUCTIONS,
        },
        environ={
            "GEMINI_CLI_HOME": "home",
            "GEMINI_SYSTEM_MD": "system.md",
            "GEMINI_CLI_NO_RELAUNCH": "true",  # it would start itself again for a larger heap
        },
    )


def _ollama(model: str, schema: str) -> Invocation:
    del schema  # of formats the command line knows `json` only
    options = ("--format", "json", "--think=false", "--hidethinking", "--nowordwrap")
    return Invocation(("run", model, *options))


def _llm(model: str, schema: str) -> Invocation:
    options = ("--no-stream", "--no-log", "--schema", schema)
    return Invocation(("prompt", *options, *(("--model", model) if model else ())))


_INSTRUCTIONS = "You answer with one JSON object and nothing else. You have no tools."

BACKENDS: Mapping[str, Backend] = {
    "claude": Backend("claude", _claude, read_claude, model="haiku"),
    "codex": Backend("codex", _codex, read_codex),
    "gemini": Backend("gemini", _gemini, read_gemini, model="flash"),
    "ollama": Backend("ollama", _ollama, read_text, needs_model=True),
    "llm": Backend("llm", _llm, read_text),
    "command": Backend("", _command, read_text),
}
"""Every AI program by the name that the user writes."""
