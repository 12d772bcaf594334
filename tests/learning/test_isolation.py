"""P1 to P5: without bindings nothing changes, and nothing is done that wasn't asked for."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.advisor.evidence_prompt import build_evidence_prompt
from antidriftd.core.knowledge.judging import Matter
from tests.checkout import ROOT
from tests.learning.judge import promote
from tests.learning.world import PROFILE, Person, World, claim, note

DOCTRINE = ("worth keeping", "promote", "harvest", "evidence")
WINDOWS = [
    {"at": 0, "class": "demo-editor", "title": "outline.md"},
    {"at": 0.5, "class": "Calculator", "title": "Calculator"},
]


def played(world: World) -> str:
    """Return the sensor that plays windows."""
    file = world.folder / "day.jsonl"
    file.write_text("".join(json.dumps(window) + "\n" for window in WINDOWS))
    return f"replay:{file}"


async def whole_session(person: Person) -> None:
    """Coach, start, drift, answer, complete, review."""
    await person.daemon.request("coach", intent="the talk")
    await person.daemon.wait_state(lambda state: state["coach"]["status"] == "ready")
    await person.daemon.request("start")
    await person.daemon.wait_state(lambda state: state["drift"]["status"] == "drifting")
    await person.daemon.request("refocus", because="the phone rang")
    await person.daemon.request("complete")
    await person.daemon.request("review", outcome="done", note="well")


def files(world: World) -> set[str]:
    """Return the top of each place that something was written in."""
    return {
        str(path.relative_to(world.home)) for path in world.home.rglob("*") if not path.is_dir()
    }


async def test_p1_without_bindings_no_file_is_made_and_nobody_is_asked(world: World) -> None:
    world.base.mkdir()
    world.profile.write_text(PROFILE)
    config = "[drift]\ndwell_secs = 0\n[nudge]\nevery_secs = 1\n"
    async with world.daemon(sensor=played(world), config=config) as person:
        await whole_session(person)
        state = await person.state()
        await person.fails("harvest", code="E_UNBOUND")

    assert "harvest" not in state
    assert not world.data.exists()
    assert [path.name for path in world.base.iterdir()] == ["knowledge.md"]
    assert world.judge.weighed == []
    assert PROFILE.splitlines()[1] in world.judge.asked[0]


async def test_p2_with_capture_off_nodes_are_read_and_nothing_is_captured(world: World) -> None:
    world.bind_directory(capture="off")
    async with world.daemon(env={"ANTIDRIFT_KNOWLEDGE_FILE": "node:me/profile"}) as person:
        await person.daemon.request("plan", intent="the talk")
        await person.daemon.wait_state(lambda state: state["knowledge"]["status"] == "ready")
        await person.daemon.request("start")
        await person.daemon.request("complete")
        await person.daemon.request("review", outcome="done", note="well")
        told = await person.does("knowledge", "status")

    assert 'capture: off: knowledge.toml has capture = "off"' in told
    assert "the coach reads this node: yes" in told
    assert not world.data.exists()


async def test_p2_with_capture_off_a_note_is_kept_and_nothing_else(world: World) -> None:
    world.bind_directory(capture="off")
    async with world.daemon() as person:
        await person.session(note("the mail was closed"))

    assert world.claims() == ["the mail was closed"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel installs, unpacked far from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    target = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


async def test_p3_what_is_installed_needs_no_checkout(world: World, installed: Path) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", "No mail first."))
    env = {"PYTHONPATH": str(installed)}
    # -P: not from the directory that the tests are run in.
    program = (sys.executable, "-P", "-m", "antidriftd")
    async with world.daemon(program=program, env=env) as person:
        await person.does("knowledge", "status")
        await person.does("capture", "the phone was off")
        await person.does("harvest")

    where = [sys.executable, "-P", "-c", "import antidriftd; print(antidriftd.__file__)"]
    found = await trio.run_process(where, env={**os.environ, **env}, capture_stdout=True)
    assert found.stdout.decode().startswith(str(installed))
    assert len(world.judge.weighed) == 1


async def test_p4_no_other_prompt_knows_of_harvesting(world: World) -> None:
    world.bind_directory()
    config = "[drift]\ndwell_secs = 0\n[nudge]\nevery_secs = 1\n"
    async with world.daemon(sensor=played(world), config=config) as person:
        await whole_session(person)
        world.bindings.unlink()
        await person.daemon.request("coach", intent="the talk")
        await person.daemon.wait_state(lambda state: state["coach"]["status"] == "ready")

    asked = world.judge.asked
    assert len(asked) >= 3
    assert not any(word in prompt for prompt in asked for word in DOCTRINE)
    assert asked[0] == asked[-1]  # what is planned is asked alike, bound or not
    doctrine = build_evidence_prompt(Matter(section="", profile="", evidence=()))
    assert all(word in doctrine for word in ("worth keeping", "promote", "evidence"))


async def test_p5_nothing_is_written_but_where_it_is_told(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", "No mail first."))
    outside = {path.name for path in world.folder.iterdir()}
    async with world.daemon() as person:
        await person.session(note("the phone was off"))
        await person.learns()

    places = (".antidrift/", ".config/antidrift/", ".local/share/antidrift/knowledge/")
    state = ".local/state/antidrift/"
    assert all(name.startswith((*places, state)) for name in files(world))
    made = {"run", "antidriftd.log"}
    assert {path.name for path in world.folder.iterdir()} - outside <= made
    modes = {oct(path.stat().st_mode & 0o777) for path in world.data.rglob("*") if path.is_file()}
    assert modes == {"0o600"}
