"""D1 to D11: how a proposal becomes part of a node, and what happens when it can't."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.lowlevel

from tests.daemons import Daemon
from tests.learning.judge import drop, merge, promote
from tests.learning.repository import MAIN, Repository, make_repository
from tests.learning.world import PROFILE, Person, World, claim, note, wait_for

MAIL = "Writing goes better before the mail is open."


def learnable(world: World) -> None:
    """Have something to harvest."""
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))


def bind_repository(world: World, root: str = ".", text: bytes = PROFILE.encode()) -> Repository:
    repository = make_repository(world.home / "notes", root, text)
    world.bind(repository.bindings())
    return repository


async def delivered(person: Person) -> str:
    """Capture something, harvest and accept it; return the run."""
    await person.does("capture", "the mail was closed")
    person.world.judge.rules(promote("mail", MAIL))
    await person.does("harvest")
    run = list(person.world.runs())[-1]
    await person.does("harvest", "accept", run)
    return run


@pytest.mark.parametrize("root", [".", "home/antidrift"], ids=["dedicated", "embedded"])
async def test_d1_a_git_proposal_is_one_branch_with_one_commit(world: World, root: str) -> None:
    repository = bind_repository(world, root)
    repository.git("checkout", "-q", "-b", "feature")
    (repository.path / repository.file).write_text("half an edit\n")
    before = repository.snapshot()
    async with world.daemon() as person:
        run = await delivered(person)
        state = await person.types("harvest", "accept", run)

    assert repository.snapshot() == before
    [branch] = repository.branches()
    assert branch == f"refs/heads/antidrift/harvest/{run}"
    assert repository.git("rev-list", f"{MAIN}..{branch}").count("\n") == 0
    assert repository.git("rev-parse", f"{branch}^") == repository.git("rev-parse", MAIN)
    assert repository.git("diff", "--name-only", MAIN, branch) == repository.file
    assert MAIL in repository.at(branch)
    assert repository.at(MAIN) == PROFILE
    assert "on the branch" in state.out
    assert world.states(run)[-1] == "delivered"


async def test_d1_line_ends_survive_what_git_attributes_would_do(world: World) -> None:
    text = PROFILE.replace("\n", "\r\n").encode()
    repository = make_repository(world.home / "notes", text=text)
    (repository.path / ".gitattributes").write_text("*.md text eol=lf\n")
    repository.git("add", ".gitattributes")
    repository.git("commit", "-qm", "attributes")
    world.bind(repository.bindings())
    async with world.daemon() as person:
        await delivered(person)

    [branch] = repository.branches()
    blob = repository.git("cat-file", "-s", f"{branch}:knowledge.md")
    before = repository.git("cat-file", "-s", f"{MAIN}:knowledge.md")
    added = ["", "<!-- antidrift:learned v1 -->", "## Learned about how I work"]
    line = f"- {MAIL} <!-- k:01234567.1 2026-11-30 -->"
    ending = [*added, line, "<!-- /antidrift:learned -->"]
    assert int(blob) - int(before) == sum(len(each) + 2 for each in ending)


async def test_d2_a_branch_that_is_thrown_away_is_a_rejection(world: World) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        run = await delivered(person)
        assert "nothing has changed" in await person.does("harvest", "refresh")
        assert world.states(run)[-1] == "delivered"
        await person.fails("harvest", "reject", run, "--reason", "no", code="E_BRANCH")

        repository.git("branch", "-D", f"antidrift/harvest/{run}")
        await person.does("harvest", "refresh")

    assert world.states(run)[-1] == "rejected"
    assert repository.at(MAIN) == PROFILE


async def test_d2_a_branch_that_cannot_be_made_fails_and_writes_nowhere_else(world: World) -> None:
    repository = bind_repository(world)
    repository.git("branch", "antidrift")  # a ref where a folder of refs would have to be
    before = repository.snapshot()
    learnable_git(world, repository)
    async with world.daemon() as person:
        await person.does("harvest")
        [run] = world.runs()
        await person.fails("harvest", "accept", run, code="E_BRANCH")
        assert world.states(run)[-1] == "failed"
        assert repository.snapshot() == before

        repository.git("branch", "-D", "antidrift")
        await person.does("harvest", "retry", run)
        await person.does("harvest", "accept", run)

    assert world.states(run)[-1] == "delivered"
    assert len(world.judge.weighed) == 1  # the proposal was there; nobody was asked again


def learnable_git(world: World, repository: Repository) -> None:
    from antidriftd.core.knowledge.model import Destination

    locator = {
        "repository": str(repository.path),
        "root": repository.root,
        "accepted": MAIN,
        "file": "knowledge.md",
    }
    destination = Destination(
        ref="me/profile", base_id="me-1", kind="git", locator=locator, bindings="sha256:0"
    )
    world.seal(claim("the mail was closed"), destination=destination)
    world.judge.rules(promote("mail", MAIL))


def merge_commit(repository: Repository, branch: str) -> None:
    repository.git("merge", "-q", "--no-ff", "-m", "merge", branch)


def squash(repository: Repository, branch: str) -> None:
    repository.git("merge", "-q", "--squash", branch)
    repository.git("commit", "-qm", "squashed")


def rebase(repository: Repository, branch: str) -> None:
    repository.git("commit", "-q", "--allow-empty", "-m", "meanwhile")
    repository.git("cherry-pick", branch)


def reword(repository: Repository, branch: str) -> None:
    text = repository.at(branch).replace("goes better", "goes so much better")
    repository.commit(text.encode(), "in my words")


@pytest.mark.parametrize("merged", [merge_commit, squash, rebase, reword])
async def test_d3_a_merge_however_it_is_made_is_the_acceptance(
    world: World, merged: Callable[[Repository, str], None]
) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        run = await delivered(person)
        merged(repository, f"antidrift/harvest/{run}")
        repository.git("branch", "-D", f"antidrift/harvest/{run}")
        await person.does("harvest", "refresh")
        shown = await person.does("knowledge", "status")

    assert world.states(run)[-1] == "accepted"
    assert "1 accepted" in shown


async def test_d3_a_pure_merge_is_not_taken_for_accepted_at_once(world: World) -> None:
    """It keeps the id of an entry that is there already; only the revision tells."""
    text = f"{PROFILE}\n<!-- antidrift:learned v1 -->\n- Old. <!-- k:9c41e2a0.1 2026-11-01 -->\n"
    text += "<!-- /antidrift:learned -->\n"
    repository = bind_repository(world, text=text.encode())
    async with world.daemon() as person:
        await person.does("capture", "the mail was closed")
        world.judge.rules(merge("mail", "k:9c41e2a0", MAIL))
        await person.does("harvest")
        [run] = world.runs()
        await person.does("harvest", "accept", run)
        await person.does("harvest", "refresh")
        assert world.states(run)[-1] == "delivered"

        repository.git("merge", "-q", f"antidrift/harvest/{run}")
        await person.does("harvest", "refresh")
    assert world.states(run)[-1] == "accepted"


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


async def test_d5_git_builds_on_a_head_that_moved_elsewhere(world: World) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        await person.does("capture", "the mail was closed")
        world.judge.rules(promote("mail", MAIL))
        await person.does("harvest")
        [run] = world.runs()
        (repository.path / "README").write_text("other\n")
        repository.git("commit", "-qam", "other")
        await person.does("harvest", "accept", run)

    [branch] = repository.branches()
    assert repository.git("rev-parse", f"{branch}^") == repository.git("rev-parse", MAIN)


async def test_d5_git_refuses_when_the_file_itself_has_moved_on(world: World) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        await person.does("capture", "the mail was closed")
        world.judge.rules(promote("mail", MAIL))
        await person.does("harvest")
        [run] = world.runs()
        repository.commit(b"# Anew\n")
        await person.fails("harvest", "accept", run, code="E_STALE")

    assert repository.branches() == []


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


async def test_d9_when_all_is_dropped_nothing_is_touched(world: World) -> None:
    repository = bind_repository(world)
    before = repository.snapshot()
    async with world.daemon() as person:
        await person.does("capture", "the mail was closed")
        world.judge.rules(drop("mail", "unverified"))
        assert "nothing in it is worth keeping" in await person.does("harvest")
        assert "nothing to harvest" in await person.does("harvest")

    assert repository.snapshot() == before
    assert repository.branches() == []


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
        await wait_for(lambda: b"restarted" in person.live()[0].read_bytes())
        await person.daemon.request("complete")
        await wait_for(lambda: bool(world.inputs()))
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


@pytest.mark.parametrize("kind", ["symlink", "hard link", "read-only folder"])
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
            tracked = world.base
            from tests.learning.world import git

            git(tracked, "init", "-q")
            git(tracked, "add", "-A")
            return "E_GIT_CUSTODY"


async def test_a_writer_elsewhere_is_not_disturbed(world: World) -> None:
    from antidriftd.adapters.evidence.files import FileEvidence

    world.bind_directory()
    learnable(world)
    async with world.daemon() as person:
        with FileEvidence(world.data).lock():
            await person.fails("harvest", code="E_BUSY")
        await trio.lowlevel.checkpoint()
        await person.learns()

    assert world.entries() == [MAIL]
