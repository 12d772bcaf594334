"""K1 to K11 and K16: the process is killed at each point, and the next one finds its way.

D6 is K8 and K9, D7 is K10.
"""

from contextlib import suppress

import pytest

from tests.clients import Gone
from tests.learning.doom import RECEIPT, asks, doomed
from tests.learning.judge import promote
from tests.learning.world import Person, World, claim, note
from tests.waiting import wait_until

MAIL, PHONE = "Writing goes better before the mail is open.", "The phone is off."


def learnable(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"), claim("the phone was off"))
    world.judge.rules(promote("mail", MAIL), promote("phone", PHONE))


async def proposed(world: World) -> str:
    """Bring a run as far as its proposal, and stop the daemon; return the run."""
    learnable(world)
    async with world.daemon() as person:
        await person.does("harvest")
    [run] = world.runs()
    return run


def leftovers(world: World) -> list[str]:
    return [path.name for path in world.home.rglob(".*new")]


def learned(world: World, run: str) -> None:
    """Make sure that the proposal was applied exactly once, and left nothing behind."""
    assert world.entries() == [MAIL, PHONE]
    assert world.states(run).count("applied") == 1
    assert world.states(run)[-1] == "applied"
    assert leftovers(world) == []


# --- evidence --------------------------------------------------------------------------------


async def test_k1_a_torn_line_is_skipped_and_told_as_a_gap(world: World) -> None:
    world.bind_directory()
    async with doomed(world, "half-write", r"open/.*\.jsonl") as person:
        await person.daemon.request("start", next_action="write")
        await asks(person, "capture", text="the mail was closed")
    async with world.daemon() as person:
        await wait_until(lambda: b"restarted" in person.live()[0].read_bytes())
        await note("the phone was off")(person)
        await person.daemon.request("complete")
        await wait_until(lambda: bool(world.inputs()))

    [packet] = world.inputs().values()
    assert packet["gaps"] == ["the last line was torn", "the daemon was restarted"]
    assert packet["complete"] is False
    assert "the phone was off" in world.claims()
    assert "the mail was closed" not in world.claims()


@pytest.mark.parametrize(
    ("event", "pattern", "sealed"),
    [("os.remove", r"open/[0-9a-f]+\.jsonl", 1), ("open", r"inputs/\..*new", 0)],
    ids=["K2", "K3"],
)
async def test_k2_k3_evidence_is_sealed_once_however_the_end_was_cut_off(
    world: World, event: str, pattern: str, sealed: int
) -> None:
    world.bind_directory()
    async with doomed(world, event, pattern) as person:
        await person.daemon.request("start", next_action="write")
        await note("the mail was closed")(person)
        await asks_or_dies(person)
        await person.daemon.wait()
    assert len(world.inputs()) == sealed
    assert len(person.live()) == 1
    before = set(world.inputs())
    async with world.daemon() as person:
        if (await person.daemon.request("state"))["runtime"] == "active":
            # It died before the end of the session was saved: who got no answer asks again.
            await person.daemon.request("complete")
        await wait_until(lambda: not person.live() and bool(world.inputs()))

    assert len(world.inputs()) == 1
    assert before <= set(world.inputs())
    [packet] = world.inputs().values()
    assert packet["complete"] is True
    assert leftovers(world) == []


async def asks_or_dies(person: Person) -> None:
    """Complete the session; the daemon may die before or after it has answered."""
    with suppress(Gone):
        await person.daemon.request("complete")


# --- harvest ---------------------------------------------------------------------------------


async def test_k4_a_claimed_run_goes_on_only_when_it_is_told_to(world: World) -> None:
    learnable(world)
    async with doomed(world, "open", r"prompt\.txt\.new") as person:
        await asks(person, "harvest_start")
    [run] = world.runs()
    assert world.states(run) == ["claimed"]
    async with world.daemon() as person:
        await person.does("knowledge", "status")
        assert world.judge.weighed == []
        assert world.states(run) == ["claimed"]
        await person.does("harvest", "retry", run)

    assert world.states(run)[-1] == "proposed"


async def test_k5_a_cut_off_question_is_asked_again_only_when_told_to(world: World) -> None:
    learnable(world)
    world.judge.think()
    async with world.daemon() as person:
        await person.daemon.request("harvest_start")
        await wait_until(lambda: len(world.judge.weighed) == 1)
        await person.daemon.kill()
    world.judge.answer_now()
    [run] = world.runs()
    async with world.daemon() as person:
        assert "1 waiting for you" in await person.does("status")
        assert len(world.judge.weighed) == 1
        await person.does("harvest", "retry", run)
        await person.does("harvest", "accept", run)

    assert len(world.judge.weighed) == 2
    learned(world, run)


async def test_k6_an_answer_that_was_not_read_is_read_and_nobody_asked_again(
    world: World,
) -> None:
    learnable(world)
    async with doomed(world, "open", r"proposal\.json\.new") as person:
        await person.daemon.request("harvest_start")
        await person.daemon.wait()
    [run] = world.runs()
    assert world.states(run)[-1] == "judging"
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == "proposed")

    assert len(world.judge.weighed) == 1


async def test_k7_a_view_that_lags_behind_is_made_anew(world: World) -> None:
    learnable(world)
    when = f"{world.data}/runs/*/proposal.json"
    async with doomed(world, "open", r"run\.json\.new", when) as person:
        await person.daemon.request("harvest_start")
        await person.daemon.wait()
    [run] = world.runs()
    assert world.runs()[run]["state"] == "judging"
    async with world.daemon():
        await wait_until(lambda: world.runs()[run]["state"] == "proposed")

    assert len(world.judge.weighed) == 1


# --- publication -----------------------------------------------------------------------------

BEFORE_THE_FILE = ("open", r"\.knowledge\.md\.antidrift-new")
BEFORE_THE_SWAP = ("os.rename", r"antidrift-new")


@pytest.mark.parametrize("point", [BEFORE_THE_FILE, BEFORE_THE_SWAP], ids=["K8", "K9"])
async def test_k8_k9_what_was_accepted_and_not_written_is_written(
    world: World, point: tuple[str, str]
) -> None:
    run = await proposed(world)
    before = world.profile.read_bytes()
    async with doomed(world, *point) as person:
        await asks(person, "harvest_accept", run=run)
    assert world.profile.read_bytes() == before
    assert world.states(run)[-1] == "publishing"
    async with world.daemon():
        await wait_until(lambda: world.runs()[run]["state"] == "applied")

    learned(world, run)


async def cut_off_after_the_swap(world: World) -> str:
    run = await proposed(world)
    async with doomed(world, "open", RECEIPT, f"{world.profile}::k:") as person:
        await asks(person, "harvest_accept", run=run)
    assert world.states(run)[-1] == "publishing"
    return run


async def test_k10_what_was_written_is_recorded_and_not_written_again(world: World) -> None:
    run = await cut_off_after_the_swap(world)
    written = world.profile.stat()
    async with world.daemon():
        await wait_until(lambda: world.runs()[run]["state"] == "applied")

    learned(world, run)
    assert world.profile.stat().st_ino == written.st_ino


async def test_k11_an_edit_around_all_that_was_learned_is_kept(world: World) -> None:
    run = await cut_off_after_the_swap(world)
    edited = "# Me, anew\n" + world.profile.read_text().replace("The phone", "My phone")
    world.profile.write_text(edited)
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == "applied")

    assert world.profile.read_text() == edited


async def test_k11_an_edit_instead_of_it_is_kept_and_the_run_is_stale(world: World) -> None:
    run = await proposed(world)
    async with doomed(world, *BEFORE_THE_SWAP) as person:
        await asks(person, "harvest_accept", run=run)
    world.profile.write_text("# Me, anew\n")
    async with world.daemon():
        await wait_until(lambda: world.states(run)[-1] == "stale")

    assert world.profile.read_text() == "# Me, anew\n"


async def test_k11_half_of_it_is_told_as_uncertain_and_left_alone(world: World) -> None:
    run = await cut_off_after_the_swap(world)
    half = "".join(
        line for line in world.profile.read_text().splitlines(keepends=True) if PHONE not in line
    )
    world.profile.write_text(half)
    async with world.daemon() as person:
        await wait_until(lambda: world.states(run)[-1] == "uncertain")
        assert "uncertain" in await person.does("harvest", "list")
        await person.does("harvest", "reject", run, "--reason", "I took the other half out")

    assert world.profile.read_text() == half


# --- forgetting ------------------------------------------------------------------------------


async def test_k16_what_was_to_be_forgotten_is_forgotten(world: World) -> None:
    world.bind_directory()
    input_id = world.seal(claim("the mail was closed"))
    async with doomed(world, "os.remove", r"inputs/[0-9a-f]+\.json") as person:
        await asks(person, "knowledge_forget", input=input_id)
    assert list(world.inputs()) == [input_id]
    async with world.daemon():
        await wait_until(lambda: not world.inputs())

    [tombstone] = (world.data / "forgotten").glob("*.json")
    assert b"mail" not in tombstone.read_bytes()
