"""D4 to D11 in a directory: how a proposal becomes part of a node, and what if it can't."""

import os
from pathlib import Path

import pytest

from antidriftd.adapters.evidence.files import FileEvidence
from tests.daemons import Daemon
from tests.learning.judge import promote
from tests.learning.repository import git
from tests.learning.world import World, claim, note
from tests.waiting import wait_until

MAIL = "Writing goes better before the mail is open."


def learnable(world: World) -> None:
    """Have something to harvest."""
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))


async def test_d4_a_directory_needs_no_git(world: World, tmp_path: Path) -> None:
    world.bind_directory()
    learnable(world)
    programs = tmp_path / "programs"
    programs.mkdir()
    async with world.daemon(env={"PATH": str(programs)}) as person:
        await person.learns()

    assert world.entries() == [MAIL]


async def test_d5_what_changed_after_the_judgment_is_never_written_over(world: World) -> None:
    world.bind_directory()
    learnable(world)
    async with world.daemon() as person:
        run = await person.harvests()
        world.profile.write_text("# Me, anew\n")
        await person.fails("harvest", "accept", run, code="E_STALE")
        assert world.profile.read_text() == "# Me, anew\n"
        assert world.states(run)[-1] == "stale"
        assert MAIL in (await person.does("harvest", "show", run))

        await person.does("harvest", "rejudge", run)
        new = next(each for each in world.runs() if each != run)
        await person.does("harvest", "accept", new)

    assert world.runs()[run]["linked"] == new
    assert world.profile.read_text().startswith("# Me, anew\n")
    assert world.entries() == [MAIL]


async def test_d8_the_same_input_again_is_the_same_run(world: World) -> None:
    world.bind_directory()
    learnable(world)
    async with world.daemon() as person:
        run = await person.harvests()
        assert (await person.types("harvest", "--json")).json["run"] == run
        await person.does("harvest", "accept", run)
        text = world.profile.read_bytes()
        await person.does("harvest", "accept", run)
        assert "nothing to harvest" in await person.does("harvest")

    assert world.profile.read_bytes() == text
    assert len(world.judge.weighed) == 1
    assert world.states(run).count("applied") == 1


async def stop(daemon: Daemon) -> None:
    await daemon.terminate()
    await daemon.start()


async def test_d10_evidence_with_a_gap_is_judged_only_when_told_so(world: World) -> None:
    world.bind_directory()
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await note("the mail was closed")(person)
        await stop(person.daemon)
        await wait_until(lambda: b"restarted" in person.live()[0].read_bytes())
        await person.daemon.request("complete")
        await wait_until(lambda: bool(world.inputs()))
        [packet] = world.inputs().values()
        assert packet["complete"] is False
        assert packet["gaps"] == ["the daemon was restarted"]

        assert "nothing to harvest" in await person.does("harvest")
        assert "pending inputs" in await person.does("knowledge", "status")
        run = await person.harvests("--include-incomplete")

    assert world.states(run)[-1] == "proposed"


async def test_d11_each_destination_has_a_run_of_its_own(world: World) -> None:
    world.make_base(world.home / "work", base_id="work-1")
    world.bind_directory()
    bases = world.bindings.read_text() + (
        f'[bases.work]\nid = "work-1"\nkind = "directory"\npath = "{world.home / "work"}"\n'
    )
    world.bindings.write_text(bases)
    world.seal(claim("the mail was closed"))
    elsewhere = world.destination("work/profile", world.home / "work")
    world.seal(claim("the phone was off"), destination=elsewhere, session="s2")
    (world.home / "work" / "knowledge.md").unlink()  # one of the two fails
    world.judge.rules(promote("mail", MAIL), promote("phone", "The phone is off."))
    async with world.daemon() as person:
        await person.learns()
        await person.fails("harvest", code="E_NODE")

    assert world.entries() == [MAIL]
    assert sorted(run["state"] for run in world.runs().values()) == ["applied", "held"]


@pytest.mark.parametrize("kind", ["symlink", "hard link", "tracked", "perhaps tracked"])
async def test_a_file_that_is_not_plainly_ours_is_not_swapped(world: World, kind: str) -> None:
    world.bind_directory()
    learnable(world)
    async with world.daemon() as person:
        run = await person.harvests()
        code = _spoil(world, kind)
        before = world.profile.read_bytes()
        await person.fails("harvest", "accept", run, code=code)
        world.base.chmod(0o700)

    assert world.profile.read_bytes() == before
    assert world.states(run)[-1] == "proposed"


def _spoil(world: World, kind: str) -> str:
    match kind:
        case "symlink":
            target = world.home / "real.md"
            world.profile.rename(target)
            world.profile.symlink_to(target)
            return "E_PATH"
        case "hard link":
            os.link(world.profile, world.home / "other.md")
            return "E_PATH"
        case _:
            git(world.base, "init", "-q")
            git(world.base, "add", "-A")
            if kind == "perhaps tracked":
                (world.base / ".git" / "index").write_bytes(b"garbled")
            return "E_GIT_CUSTODY"


async def test_a_file_that_lies_untracked_in_a_repository_is_swapped(world: World) -> None:
    world.bind_directory()
    git(world.base, "init", "-q")
    learnable(world)
    async with world.daemon() as person:
        await person.learns()

    assert world.entries() == [MAIL]


async def test_a_writer_elsewhere_is_not_disturbed(world: World) -> None:
    world.bind_directory()
    learnable(world)
    async with world.daemon() as person:
        with FileEvidence(world.data).lock():
            await person.fails("harvest", code="E_BUSY")
        await person.learns()

    assert world.entries() == [MAIL]
