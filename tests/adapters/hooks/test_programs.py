"""Hooks that are programs, run for real."""

import json
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.hooks.port import HookError
from antidriftd.adapters.hooks.programs import ProgramHooks
from tests.fakes.ai import CHILDREN, NEVER_ANSWERS, RECORDS, processes_named, write_program

ENVIRON = {"PATH": "/usr/bin:/bin", "LC_CTYPE": "C.UTF-8", "SECRET": "x", "TOKEN": "y"}
EVENT = b'{"event":"drift"}\n'


def hooks(*argv: str, timeout_secs: float = 60) -> ProgramHooks:
    return ProgramHooks(
        {"on_drift": argv}, environ=ENVIRON, pass_env=["TOKEN"], timeout_secs=timeout_secs
    )


async def why(program: ProgramHooks) -> str:
    with pytest.raises(HookError, match=r"\A[^\n]+\Z") as caught:
        await program.run("on_drift", EVENT)
    return str(caught.value)


async def test_it_gets_the_event_its_arguments_and_a_small_environment(tmp_path: Path) -> None:
    said = tmp_path / "said"
    body = RECORDS.replace("print(", f"open({str(said)!r}, 'w').write(")
    await hooks(write_program(tmp_path, body), "two words", "$HOME").run("on_drift", EVENT)
    record = json.loads(await trio.Path(said).read_text())

    assert record["stdin"].encode() == EVENT
    assert record["argv"] == ["two words", "$HOME"]
    assert record["environ"] == {name: ENVIRON[name] for name in ("PATH", "LC_CTYPE", "TOKEN")}
    assert (record["terminal"], record["cwd_names"]) == (False, [])


async def test_what_it_prints_is_nobodys_business(tmp_path: Path) -> None:
    await hooks(write_program(tmp_path, "print('x' * 1000)")).run("on_drift", EVENT)


async def test_one_that_fails_is_quoted_in_a_line(tmp_path: Path) -> None:
    program = write_program(tmp_path, r"sys.stderr.write('no\x1b[2J\nsuch host'); sys.exit(3)", "h")

    assert await why(hooks(program)) == r"h exited with code 3: no\x1b[2J such host"


async def test_one_that_is_not_there_is_named_with_the_path_searched() -> None:
    assert await why(hooks("no-such-hook")) == "cannot find no-such-hook in PATH=/usr/bin:/bin"


async def test_it_may_be_installed_later(tmp_path: Path) -> None:
    program = hooks(str(tmp_path / "later"))
    assert "cannot run" in await why(program)
    write_program(tmp_path, "pass", "later")

    await program.run("on_drift", EVENT)


async def test_one_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    body = f"{CHILDREN['left the session and ignores SIGTERM']}; {NEVER_ANSWERS}"
    program = write_program(tmp_path, body, "hangs")

    assert await why(hooks(program, timeout_secs=1)) == "hangs was ended after 1 s"
    assert processes_named(program) == []
