"""K12 to K15: cut off in Git and behind a command, where others keep the text."""

import json
from pathlib import Path

import pytest

from antidriftd.core.knowledge.model import Destination
from tests.learning.doom import RECEIPT, asks, doomed
from tests.learning.judge import promote
from tests.learning.repository import MAIN, Repository, make_repository
from tests.learning.world import World, claim
from tests.waiting import wait_until

MAIL = "Writing goes better before the mail is open."

# --- Git -------------------------------------------------------------------------------------


async def git_proposal(world: World) -> tuple[Repository, str]:
    repository = make_repository(world.home / "notes")
    world.bind(repository.bindings())
    locator = {"repository": str(repository.path), "root": ".", "accepted": MAIN}
    destination = Destination(
        ref="me/profile",
        base_id="me-1",
        kind="git",
        locator={**locator, "file": "knowledge.md"},
        bindings="sha256:0",
    )
    world.seal(claim("the mail was closed"), destination=destination)
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.does("harvest")
    [run] = world.runs()
    return repository, run


async def test_k12_a_commit_without_a_branch_is_built_again_and_gets_one(world: World) -> None:
    repository, run = await git_proposal(world)
    async with doomed(world, "subprocess.Popen", "update-ref") as person:
        await asks(person, "harvest_accept", run=run)
    assert repository.branches() == []
    made = dangling(repository)
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == "delivered")

    [branch] = repository.branches()
    assert repository.git("rev-parse", branch) == made


def dangling(repository: Repository) -> str:
    lines = repository.git("fsck", "--no-reflogs", "--dangling").splitlines()
    [commit] = [line.split()[2] for line in lines if line.startswith("dangling commit")]
    return commit


async def test_k13_a_branch_without_a_receipt_gets_one(world: World) -> None:
    repository, run = await git_proposal(world)
    when = f"{repository.path}/.git/refs/heads/antidrift/harvest/*"
    async with doomed(world, "open", RECEIPT, when) as person:
        await asks(person, "harvest_accept", run=run)
    [branch] = repository.branches()
    made = repository.git("rev-parse", branch)
    assert world.states(run)[-1] == "publishing"
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == "delivered")

    assert repository.git("rev-parse", branch) == made


async def test_k14_delivered_inputs_are_processed_by_the_receipt_alone(world: World) -> None:
    _, run = await git_proposal(world)
    async with world.daemon() as person:
        await person.does("harvest", "accept", run)
        await person.daemon.kill()
    view = world.data / "runs" / run / "run.json"
    view.unlink()  # whatever is derived may be gone
    async with world.daemon() as person:
        assert "nothing to harvest" in await person.does("harvest")
        assert (await person.state())["harvest"]["capture"] == "on"

    assert world.runs()[run]["state"] == "delivered"


# --- a command -------------------------------------------------------------------------------

SLOW_WRITER = """#!/bin/sh
echo x >> {folder}/writes
{before}
touch {folder}/writing
sleep 300
"""


def bind_command(world: World, before: str) -> Path:
    """Bind a base behind two programs, of which the writer does something and then hangs."""
    text = world.folder / "text"
    text.write_text("# Me\n")
    writer = world.folder / "writer"
    writer.write_text(SLOW_WRITER.format(folder=world.folder, before=before))
    writer.chmod(0o755)
    read = json.dumps(["cat", str(text)])
    world.bind(
        f'[bases.me]\nid = "me-1"\nkind = "command"\nnode = "profile"\nread = {read}\n'
        f'write = ["{writer}"]\n'
    )
    return text


@pytest.mark.parametrize(
    ("before", "state"),
    [
        ("cat > /dev/null", "failed"),
        ("cat > {text}", "applied"),
        ("echo other > {text}", "uncertain"),
    ],
)
async def test_k15_a_write_that_was_cut_off_is_read_back_and_never_repeated(
    world: World, before: str, state: str
) -> None:
    bind_command(world, before.format(text=world.folder / "text"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.does("capture", "the mail was closed")
        await person.does("harvest")
        [run] = world.runs()
        async with person.daemon.connect() as client:
            await client.send(
                b'{"jsonrpc":"2.0","id":1,"method":"harvest_accept","params":{"run":"%s"}}\n'
                % run.encode()
            )
            await wait_until((world.folder / "writing").exists)
            await person.daemon.kill()
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == state)

    assert (world.folder / "writes").read_text() == "x\n"
    assert world.receipts(run)[-1]["limits"] == "no identity, no snapshot, no review phase known"
