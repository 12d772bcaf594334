"""C1 to C5: which node is meant, and that nothing else ever stands in for it."""

import pytest

from tests.learning.judge import data_of, promote
from tests.learning.repository import make_repository
from tests.learning.world import OWNER, PROFILE, World, claim, directory_base, marker

MAIL = "Writing goes better before the mail is open."


def two_bases(world: World, **top: object) -> None:
    """Bind `me`, which is owned, and `team`, which is somebody else's."""
    team = world.home / "team"
    world.make_base()
    world.make_base(team, base_id="team-1", owner="o-somebody")
    (team / "knowledge.md").write_text("Pull requests are small.\n")
    world.bind(directory_base("me", world.base) + directory_base("team", team), **top)


def everything(world: World) -> dict[str, bytes]:
    """Return all files of the bases."""
    folders = [world.base, world.home / "team", world.home / "notes"]
    return {str(p): p.read_bytes() for f in folders for p in f.rglob("*") if p.is_file()}


async def test_c1_the_judge_consults_a_second_base_and_changes_the_first(world: World) -> None:
    two_bases(world, reads=["team/profile"])
    before = everything(world)
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        run = await person.harvests()
        assert everything(world) == before
        await person.does("harvest", "accept", run)

    assert data_of(world.judge.weighed[0])["consulted"] == ["Pull requests are small.\n"]
    changed = {name for name, text in everything(world).items() if before.get(name) != text}
    assert changed == {str(world.profile)}


async def test_c1_a_base_that_nothing_names_is_listed(world: World) -> None:
    two_bases(world)
    async with world.daemon() as person:
        assert "bound, and not used: team" in await person.does("knowledge", "status")


async def test_c2_nodes_of_one_name_in_two_bases_never_mix(world: World) -> None:
    two_bases(world)
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.does("knowledge-path", "node:team/profile")
        await person.daemon.request("coach", intent="the talk")
        await person.daemon.wait_state(lambda state: state["coach"]["status"] == "ready")
        await person.learns()

    coached = next(prompt for prompt in world.judge.asked if "timebox_minutes" in prompt)
    assert "Pull requests are small" in coached
    assert "lichens" not in coached
    assert world.entries() == [MAIL]
    assert world.entries(world.home / "team" / "knowledge.md") == []


MISSING = {
    "no bindings": "E_UNBOUND",
    "no base": "E_BASE",
    "no marker": "E_IDENTITY",
    "another base": "E_IDENTITY",
    "no node": "E_NODE",
    "no file": "E_NODE",
    "outside": "E_PATH",
    "malformed": "E_BINDINGS",
    "unknown key": "E_BINDINGS",
    "folder": "E_PATH",
}


def take_away(world: World, what: str) -> None:
    marker_file = world.base / "antidrift-base.toml"
    match what:
        case "no bindings":
            world.bindings.unlink()
        case "no base":
            world.base.rename(world.home / "moved")
        case "no marker":
            marker_file.unlink()
        case "another base":
            marker_file.write_text(marker(base_id="other-1"))
        case "no node":
            marker_file.write_text(marker(node="other"))
        case "no file":
            world.profile.unlink()
        case "outside":
            marker_file.write_text(marker(file="../../secret.md"))
        case "malformed":
            world.bindings.write_text("version = ")
        case "unknown key":
            world.bindings.write_text("surprise = 1\n" + world.bindings.read_text())
        case _:
            world.profile.unlink()
            world.profile.mkdir()


@pytest.mark.parametrize(("what", "code"), MISSING.items(), ids=MISSING)
async def test_c3_what_is_missing_is_named_and_never_made(
    world: World, what: str, code: str
) -> None:
    world.bind_directory()
    take_away(world, what)
    before = everything(world)
    async with world.daemon() as person:
        message = await person.fails("capture", "the mail was closed", code=code)
        shown = await person.does("knowledge-path", "node:me/profile")
        await person.daemon.request("plan", intent="the talk")
        state = await person.daemon.wait_state(
            lambda state: state["knowledge"]["status"] != "pending"
        )
        await person.does("start", "the talk")

    assert len(message) > len(f"antidrift: {code}: ") + 20  # it says what helps
    assert "node:me/profile" in shown
    assert state["knowledge"] == {"status": "error", "path": "node:me/profile", "code": code}
    assert everything(world) == before
    assert not (world.data / "inputs").exists()


async def test_c3_somebody_elses_node_is_refused_but_may_be_read(world: World) -> None:
    world.bind_directory()
    (world.base / "antidrift-base.toml").write_text(marker(owner="o-somebody"))
    async with world.daemon() as person:
        message = await person.fails("capture", "the mail was closed", code="E_OWNER")
        await person.does("knowledge-path", "node:me/profile")
        await person.daemon.request("plan", intent="the talk")
        await person.daemon.wait_state(lambda state: state["knowledge"]["status"] == "ready")

    assert "o-somebody" in message
    assert OWNER in message


async def test_c4_the_accepted_ref_decides_and_the_working_tree_nothing(world: World) -> None:
    repository = make_repository(world.home / "notes")
    world.bind(repository.bindings())
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit(b"I breed canaries.\n")
    (repository.path / "knowledge.md").write_text("I breed budgerigars.\n")
    before = repository.snapshot()
    async with world.daemon() as person:
        await person.does("knowledge-path", "node:me/profile")
        await person.does("capture", "the mail was closed")
        await person.does("harvest")
        shown = await person.does("knowledge", "show")

    assert data_of(world.judge.weighed[0])["profile"] == PROFILE
    assert shown == PROFILE
    assert repository.snapshot() == before


async def test_c5_evidence_stays_addressed_to_where_it_was_taken_for(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    other = world.home / "other"
    world.make_base(other, base_id="other-1")
    world.bind(directory_base("other", other), harvest="other/profile")
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.fails("harvest", code="E_BASE")
        [run] = world.runs()
        assert world.states(run) == ["claimed", "held"]
        assert world.judge.weighed == []
        assert "1 waiting for you" in await person.does("status")

        await person.does("harvest", "rebind", run, "--to", "other/profile")
        new = await person.learns()

    assert world.entries() == []
    assert world.entries(other / "knowledge.md") == [MAIL]
    assert [each["state"] for each in world.receipts(run)][-1] == "rejected"
    assert world.receipts(run)[-1]["rebound"]["ref"] == "other/profile"
    assert new != run


async def test_c5_an_input_is_sent_elsewhere_with_a_receipt(world: World) -> None:
    world.bind_directory()
    input_id = world.seal(claim("the mail was closed"))
    other = world.home / "other"
    world.make_base(other, base_id="other-1")
    world.bind(directory_base("me", world.base) + directory_base("other", other))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.does("harvest", "rebind", input_id[:8], "--to", "other/profile")
        await person.learns()

    assert world.entries(other / "knowledge.md") == [MAIL]
    assert len(list((world.data / "rebound").glob("*.json"))) == 1


async def test_c5_a_base_that_was_only_renamed_is_the_same_base(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.bind(directory_base("mine", world.base, "me-1"), harvest="mine/profile")
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.learns()

    assert world.entries() == [MAIL]
