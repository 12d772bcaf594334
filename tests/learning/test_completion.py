"""B1 to B12: the whole of it, as a person would want it to hold.

B3 is the learning gate (tests/e2e/test_learning.py), B10 is P4 (test_isolation.py).
"""

import json

import pytest

from antidriftd.core.knowledge.gates import check_size
from antidriftd.core.knowledge.section import parse_section
from tests.learning.judge import claims_of, drop, merge, promote
from tests.learning.repository import make_repository
from tests.learning.test_isolation import files
from tests.learning.world import PROFILE, World, claim, directory_base, marker, note
from tests.waiting import wait_until

MAIL, PHONE = "Writing goes better before the mail is open.", "The phone is off."


async def test_b1_two_owners_have_two_nodes_and_each_learns_into_their_own(world: World) -> None:
    folder = world.home / "shared"
    folder.mkdir()
    other = '[nodes.other]\nfile = "other.md"\nowner = "o-somebody"\n'
    (folder / "antidrift-base.toml").write_text(marker() + other)
    for name in ("knowledge.md", "other.md"):
        (folder / name).write_text(PROFILE)
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        world.bind(directory_base("me", folder), harvest="me/other")
        await person.fails("capture", "the mail was closed", code="E_OWNER")
        world.bind(directory_base("me", folder), harvest="me/other", owner="o-somebody")
        await person.does("capture", "the mail was closed")
        await person.learns()
        world.bind(directory_base("me", folder))
        await person.does("capture", "the mail is closed")
        world.judge.rules(promote("mail", PHONE))
        await person.learns()

    assert world.entries(folder / "other.md") == [MAIL]
    assert world.entries(folder / "knowledge.md") == [PHONE]


async def test_b2_four_sessions_in_one_run_make_one_set_of_entries(world: World) -> None:
    world.bind_directory()
    for number in range(4):
        world.seal(claim(f"mail closed, {number}"), session=f"s{number}")
    world.judge.rules(promote("closed, 0", MAIL), drop("closed", "duplicate"))
    async with world.daemon() as person:
        run = await person.learns()

    assert world.entries() == [MAIL]
    assert len(world.runs()[run]["claim"]["inputs"]) == 4
    receipts = world.receipts(run)
    names = {path.stem for path in (world.data / "runs" / run / "receipts").glob("*.json")}
    assert [each.get("previous", "") in names for each in receipts] == [False, *[True] * 4]


async def test_b4_notes_that_wait_are_sealed_before_the_live_state_goes(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await note("next: fix slide 4")(person)
        await note("the mail was closed")(person)
        await person.daemon.request("complete")
        await wait_until(lambda: bool(world.inputs()) and not person.live())
        world.judge.rules(promote("mail", MAIL), drop("slide", "task-only"))
        await person.learns()

    assert {"next: fix slide 4", "the mail was closed"} <= set(world.claims())
    assert world.entries() == [MAIL]


async def test_b5_what_is_excluded_is_left_out_and_the_lesson_is_kept(world: World) -> None:
    world.bind_directory()
    title = {"third_party": True, "data": {"class": "slack", "title": "Bob is ill again"}}
    world.seal(
        claim("the door opens with four two four two"),
        claim("slack led away", "refocus", **title),
        claim("the mail was closed"),
    )
    world.judge.rules(drop("door", "excluded"), drop("slack", "excluded"), promote("mail", MAIL))
    async with world.daemon() as person:
        await person.learns()

    assert world.entries() == [MAIL]
    assert "four two" not in world.profile.read_text()
    assert "Bob" not in world.profile.read_text()


async def test_b6_a_mix_is_taken_apart_and_each_line_has_its_provenance(world: World) -> None:
    world.bind_directory()
    world.seal(
        claim("I sit by the window"),
        claim("no mail before noon", "decision", scope="standing"),
        claim("no, not the standing desk", "decision", scope="standing"),
        claim("tomorrow: chapter 4"),
    )
    world.judge.rules(
        drop("window", "known"),
        promote("noon", "No mail before noon."),
        promote("desk", "A standing desk was tried and given up."),
        drop("tomorrow", "task-only"),
    )
    async with world.daemon() as person:
        await person.learns()
        told = [
            await person.does("knowledge", "why", mark.partition(".")[0]) for mark in world.marks()
        ]

    assert world.entries() == ["No mail before noon.", "A standing desk was tried and given up."]
    assert "no mail before noon" in told[0]
    assert "standing desk" in told[1]
    assert "decision, stated" in told[0]


async def test_b7_the_node_is_read_anew_for_each_plan(world: World) -> None:
    world.bind_directory()
    async with world.daemon(env={"ANTIDRIFT_KNOWLEDGE_FILE": "node:me/profile"}) as person:
        for text in ("I am one.", "I am two."):
            world.profile.write_text(text)
            await person.daemon.request("coach", intent=text)
            await person.daemon.wait_state(lambda state: state["coach"]["status"] == "ready")
            await person.daemon.request("cancel")

    assert "I am one." in world.judge.asked[0]
    assert "I am two." in world.judge.asked[1]
    assert "I am one." not in world.judge.asked[1].partition("You turn")[0]


async def test_b8_after_each_acceptance_the_file_is_whole_and_fits(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        for number in range(3):
            await person.does("capture", f"lesson {number}")
            world.judge.rules(promote(f"lesson {number}", f"Lesson number {number}."))
            await person.learns()
            content = world.profile.read_bytes()
            assert len(parse_section(content).entries()) == number + 1
            check_size(content)


async def test_b8_what_would_not_fit_is_no_proposal(world: World) -> None:
    world.bind_directory()
    world.profile.write_text("x" * 6000)
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.fails("harvest", code="E_TOO_LARGE")

    assert world.profile.read_text() == "x" * 6000


async def test_b9_the_profile_that_is_there_becomes_a_node_as_it_is(world: World) -> None:
    world.base.mkdir()
    odd = b"# Me\r\n\xff\xfe caf\xe9\r\nno end"
    world.profile.write_bytes(odd)
    bind = ("knowledge", "init", "--base", "me", "--directory", str(world.base))
    node = ("--node", "profile", "--file", "knowledge.md")
    async with world.daemon() as person:
        await person.does(*bind, *node)
        assert world.profile.read_bytes() == odd
        told = await person.does("knowledge", "status")
        await person.fails(*bind, *node, code="E_BINDINGS")
        world.bindings.unlink()
        await person.fails(*bind, *node, code="E_IDENTITY")  # the marker is there already

    assert f"learns into me/profile (directory) at {world.profile}: {len(odd)} bytes" in told
    assert not world.data.exists()
    assert not world.bindings.exists()


async def test_b9_bytes_that_are_no_text_survive_a_harvest(world: World) -> None:
    world.bind_directory()
    odd = b"# Me\r\ncaf\xe9 \xff\r\nno end"
    world.profile.write_bytes(odd)
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.learns()

    assert world.profile.read_bytes().startswith(odd + b"\r\n\r\n<!-- antidrift:learned v1 -->\r\n")


async def test_b8_a_section_that_is_broken_holds_the_run_until_it_is_mended(world: World) -> None:
    world.bind_directory()
    broken = PROFILE + "<!-- antidrift:learned v1 -->\n"
    world.profile.write_text(broken)
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.fails("harvest", code="E_SECTION")
        [run] = world.runs()
        assert world.states(run) == ["claimed", "held"]
        assert world.profile.read_text() == broken

        world.profile.write_text(PROFILE)
        await person.does("harvest", "retry", run)
        await person.does("harvest", "accept", run)

    assert world.entries() == [MAIL]


@pytest.mark.parametrize("kind", ["directory", "git"])
async def test_b11_the_same_scenario_holds_for_both_kinds(world: World, kind: str) -> None:
    if kind == "git":
        repository = make_repository(world.home / "notes")
        world.bind(repository.bindings())
    else:
        world.bind_directory()
    async with world.daemon() as person:
        await person.session(note("the mail was closed"))
        world.judge.rules(promote("mail", MAIL))
        await person.learns()
        if kind == "git":
            [branch] = repository.branches()
            repository.git("merge", "-q", branch)
            await person.does("harvest", "refresh")
        await person.does("capture", "again the mail was closed")
        mark = _mark(_text(world, kind))
        world.judge.rules(merge("again", mark, MAIL + " Twice."))
        await person.learns()

    assert claims_of(world.judge.weighed[1])


def _text(world: World, kind: str) -> str:
    if kind == "git":
        return (world.home / "notes" / "knowledge.md").read_text()
    return world.profile.read_text()


def _mark(text: str) -> str:
    return text[text.index("k:") :][:10]


async def test_b12_a_refusal_is_loud(world: World) -> None:
    world.bind_directory()
    (world.base / "antidrift-base.toml").write_text(marker(owner="o-somebody"))
    before = files(world)
    async with world.daemon() as person:
        message = await person.fails("capture", "the mail was closed", code="E_OWNER")
        done = await person.types("capture", "the mail was closed", "--json")

    assert "knowledge init" in message
    assert done.code == 5
    assert json.loads(done.out)["error"]["kind"] == "custody"
    new = files(world) - before
    assert not any("knowledge/" in name for name in new)


async def test_what_the_person_takes_out_is_not_proposed_again(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        await person.learns()
        world.profile.write_text(PROFILE)
        await person.does("capture", "the mail was closed, again")
        await person.fails("harvest", code="E_JUDGMENT")

    assert '"retired": ["Writing goes better' in world.judge.weighed[1]


async def test_a_line_that_the_person_reworded_is_told_before_it_is_replaced(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        run = await person.learns()
        assert "your own words" not in await person.does("harvest", "show", run)
        world.profile.write_text(world.profile.read_text().replace("goes better", "flows"))
        mark = world.marks()[0].partition(".")[0]
        await person.does("capture", "the mail was closed, again")
        world.judge.rules(merge("again", mark, "Write first, then read mail."))
        run = await person.harvests()
        told = await person.does("harvest", "show", run)

    assert "! replaces your own words: - Writing flows before" in told


async def test_a_rejection_is_kept_with_its_reason_and_may_be_judged_again(world: World) -> None:
    world.bind_directory()
    world.seal(claim("the mail was closed"))
    world.judge.rules(promote("mail", MAIL))
    async with world.daemon() as person:
        run = await person.harvests()
        await person.does("harvest", "reject", run, "--reason", "too early")
        assert "nothing to harvest" in await person.does("harvest")
        await person.does("harvest", "rejudge", run)
        await person.does("harvest", "rejudge", run)

    assert world.receipts(run)[3]["reason"] == "too early"
    assert sorted(each["state"] for each in world.runs().values()) == ["proposed", "rejected"]
