"""Evidence that is forgotten is gone, and leaves only that it was there."""

from tests.learning.judge import promote
from tests.learning.world import World, claim

MAIL = "Writing goes better before the mail is open."


async def test_forgotten_evidence_is_nowhere_to_be_found(world: World) -> None:
    world.bind_directory()
    input_id = world.seal(claim("the mail was closed by Bobolink"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        run = await person.learns()
        mark = world.marks()[0].partition(".")[0]
        await person.does("knowledge", "forget", input_id[:8])
        why = await person.does("knowledge", "why", mark)
        told = await person.does("harvest", "show", run)

    assert world.inputs() == {}
    everything = b"".join(p.read_bytes() for p in world.data.rglob("*") if p.is_file())
    assert b"Bobolink" not in everything
    assert "(forgotten)" in why
    assert "(forgotten)" in told
    assert world.entries() == [MAIL]


async def test_all_of_a_session_is_forgotten_at_once(world: World) -> None:
    world.bind_directory()
    world.seal(claim("one"), session="s1")
    world.seal(claim("two"), session="s1")
    kept = world.seal(claim("three"), session="s2")
    async with world.daemon() as person:
        await person.does("knowledge", "forget", "--session", "s1")
        await person.fails("knowledge", "forget", "--session", "s1", code="E_INPUT")

    assert list(world.inputs()) == [kept]


async def test_what_an_unfinished_run_uses_is_not_forgotten(world: World) -> None:
    world.bind_directory()
    input_id = world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        run = await person.harvests()
        await person.fails("knowledge", "forget", input_id, code="E_BUSY")
        await person.does("harvest", "reject", run, "--reason", "no")
        await person.does("knowledge", "forget", input_id)

    assert world.inputs() == {}


async def test_evidence_that_was_tampered_with_is_refused(world: World) -> None:
    world.bind_directory()
    input_id = world.seal(claim("the mail was closed"))
    path = world.data / "inputs" / f"{input_id}.json"
    path.write_bytes(path.read_bytes().replace(b"closed", b"opened"))
    async with world.daemon() as person:
        message = await person.fails("harvest", code="E_INPUT")

    assert "opened" not in message
    assert world.judge.weighed == []
