"""What of a session becomes evidence, within which bounds, and what doesn't."""

import json
from typing import Any

import pytest

from tests.clients import Refused, State
from tests.learning.test_isolation import played, whole_session
from tests.learning.world import OWNER, Person, World, marker, note
from tests.waiting import wait_until

CONFIG = "[drift]\ndwell_secs = 0\n"


async def evidence_of_a_session(world: World, **options: Any) -> dict[str, Any]:
    async with world.daemon(sensor=played(world), config=CONFIG, **options) as person:
        await whole_session(person)
        await wait_until(lambda: len(world.inputs()) == 2)
    return {packet["kind"]: packet for packet in world.inputs().values()}


def capture_in(state: State) -> str:
    return str(state.get("harvest", {}).get("capture", ""))


def kinds(packet: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["kind"]: each for each in packet["candidates"]}


async def test_a_session_leaves_what_was_answered_judged_and_reviewed(world: World) -> None:
    world.bind_directory()
    found = await evidence_of_a_session(world)

    session = found["session"]
    assert session["owner"] == OWNER
    assert session["source"]["label"] == "write the outline"
    assert session["destination"]["locator"]["file"] == "knowledge.md"
    assert session["complete"] is True
    seen = kinds(session)
    assert set(seen) >= {"verdict", "refocus", "outcome"}
    assert seen["verdict"]["certainty"] == "inferred"
    assert seen["refocus"]["claim"].endswith("it began with: the phone rang")
    assert seen["outcome"]["claim"].startswith("planned 25 min")
    [review] = found["review"]["candidates"]
    assert review["claim"] == "the person said of the session: done: well"
    assert review["certainty"] == "stated"
    assert found["review"]["source"]["id"] == session["source"]["id"]


async def test_titles_are_left_out_unless_the_person_wants_them(world: World) -> None:
    world.bind_directory()
    await evidence_of_a_session(world)
    assert not any("title" in each["data"] for each in world.candidates())
    assert not any(each["third_party"] for each in world.candidates())


async def test_a_title_is_kept_as_somebody_elses_words(world: World) -> None:
    world.bind_directory(titles="on")
    found = await evidence_of_a_session(world)
    verdicts = [each for each in found["session"]["candidates"] if each["kind"] == "verdict"]
    assert verdicts
    assert {each["data"]["title"] for each in verdicts} <= {"outline.md", "Calculator"}
    assert all(each["third_party"] for each in verdicts)


async def test_what_the_history_leaves_out_is_no_evidence_either(world: World) -> None:
    world.bind_directory(titles="on")
    config = CONFIG + '[history]\nexclude = ["calc*"]\n'
    async with world.daemon(sensor=played(world), config=config) as person:
        await whole_session(person)
        await wait_until(lambda: len(world.inputs()) == 2)

    assert "alculator" not in json.dumps(world.inputs())


async def test_repeats_are_counted_and_not_repeated(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.session(*[note("the mail was closed")] * 3)

    [found] = [each for each in world.candidates() if each["kind"] == "note"]
    assert found["data"]["times"] == 3


async def test_a_session_without_a_destination_runs_and_says_so(world: World) -> None:
    world.bind_directory()
    (world.base / "antidrift-base.toml").write_text(marker(owner="o-somebody"))
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        state = await person.daemon.wait_state(lambda s: capture_in(s) == "blocked")
        assert state["harvest"]["code"] == "E_OWNER"
        assert "capture: blocked (E_OWNER)" in await person.does("status")
        await person.daemon.request("complete")
        await person.daemon.wait_state(lambda s: capture_in(s) == "on")

    assert world.inputs() == {}


async def test_evidence_that_cannot_be_sealed_is_held_and_the_session_ends(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await note("the mail was closed")(person)
        (world.data / "inputs").write_text("in the way")
        done = await person.daemon.request("complete")
        assert done["runtime"] == "review"
        await person.daemon.wait_state(lambda s: capture_in(s) == "held")
        assert len(person.live()) == 1

        (world.data / "inputs").unlink()
        await person.does("harvest", "refresh")
        assert (await person.state())["harvest"]["capture"] == "on"

    assert "the mail was closed" in world.claims()


async def test_a_destination_is_frozen_when_the_session_starts(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await note("the mail was closed")(person)
        world.bindings.write_text("no TOML")
        await person.daemon.request("complete")
        await wait_until(lambda: bool(world.inputs()))

    [packet] = world.inputs().values()
    assert packet["destination"]["ref"] == "me/profile"


async def test_bindings_that_are_malformed_are_logged_once_and_shown(world: World) -> None:
    world.bind_directory()
    world.bindings.write_text("no TOML")
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await person.daemon.request("complete")
        state = await person.daemon.wait_state(lambda s: "harvest" in s)
        assert state["harvest"]["code"] == "E_BINDINGS"
        assert person.daemon.log.count("E_BINDINGS") == 1
        assert "E_BINDINGS" in await person.does("knowledge", "status")


async def test_a_note_has_a_limit_and_is_refused_above_it(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.daemon.request("capture", text="n" * 4096)
        for text in ("n" * 4097, " "):
            with pytest.raises(Refused) as refused:
                await person.daemon.request("capture", text=text)
            assert refused.value.kind == "invalid_value"

    assert len(world.inputs()) == 1


async def test_a_session_that_shows_too_much_stops_at_the_limit(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        await person.daemon.request("start", next_action="write")
        await fill(person)
        with pytest.raises(Refused, match="E_TOO_LARGE"):
            await person.daemon.request("capture", text="one too many " + "n" * 4000)
        await person.daemon.request("complete")
        await wait_until(lambda: bool(world.inputs()))

    [packet] = world.inputs().values()
    assert packet["gaps"] == ["the limit was reached"]
    assert packet["complete"] is False


async def fill(person: Person) -> None:
    for number in range(15):
        await person.daemon.request("capture", text=f"{number} " + "n" * 4000)


async def test_a_guess_stays_a_guess_and_a_decision_stands(world: World) -> None:
    world.bind_directory()
    async with world.daemon() as person:
        told = await person.does("capture", "no mail first", "--decision")
        await person.does("capture", "--unsure", "is it the coffee?")

    assert "kept as input" in told
    found = {each["kind"]: each for each in world.candidates()}
    assert found["decision"]["scope"] == "standing"
    assert found["decision"]["certainty"] == "stated"
    assert found["note"]["certainty"] == "inferred"
