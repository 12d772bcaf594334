"""D1 to D3, D5 and D9 in Git: a branch is a proposal, and the merge its acceptance."""

from collections.abc import Callable

import pytest

from antidriftd.core.knowledge.model import Destination
from tests.learning.judge import drop, merge, promote
from tests.learning.repository import MAIN, Repository, make_repository
from tests.learning.world import PROFILE, Person, World, claim

MAIL = "Writing goes better before the mail is open."


async def delivered(person: Person) -> str:
    """Capture something, harvest and accept it; return the run."""
    await person.does("capture", "the mail was closed")
    person.world.judge.rules(promote("mail", MAIL))
    await person.does("harvest")
    run = list(person.world.runs())[-1]
    await person.does("harvest", "accept", run)
    return run


def bind_repository(world: World, root: str = ".", text: bytes = PROFILE.encode()) -> Repository:
    repository = make_repository(world.home / "notes", root, text)
    world.bind(repository.bindings())
    return repository


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


@pytest.mark.parametrize("is_gone", [True, False], ids=["gone", "garbled"])
async def test_d2_a_branch_that_git_cannot_read_is_no_rejection(
    world: World, *, is_gone: bool
) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        run = await delivered(person)
        lost = repository.object_of(f"antidrift/harvest/{run}")
        content = lost.read_bytes()
        lost.unlink()
        if not is_gone:
            lost.write_bytes(b"garbled")
        await person.fails("harvest", "refresh", code="E_ACCESS")
        assert world.states(run)[-1] == "delivered"

        lost.unlink(missing_ok=True)
        lost.write_bytes(content)
        assert "nothing has changed" in await person.does("harvest", "refresh")


async def test_d2_an_accepted_file_that_git_cannot_read_is_no_rejection(world: World) -> None:
    repository = bind_repository(world)
    async with world.daemon() as person:
        run = await delivered(person)
        repository.git("branch", "-D", f"antidrift/harvest/{run}")
        repository.object_of(f"{MAIN}:{repository.file}").unlink()
        await person.fails("harvest", "refresh", code="E_ACCESS")

    assert world.states(run)[-1] == "delivered"


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
