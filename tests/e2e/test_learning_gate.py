"""The learning gate, L1 to L6: what one session confirmed reaches the coach of a later one.

A live run with a real AI is something else, and is done by hand.
"""

import json
from pathlib import Path

from tests.learning.judge import promote
from tests.learning.world import PROFILE, Person, World, note, open_world
from tests.waiting import wait_until

LESSON = "Chapters go better when the mail client is closed."
CANARY = "the canary in the mail client sang"


async def coached(person: Person, intent: str) -> str:
    """Plan with the coach, and return the prompt that it got."""
    await person.daemon.request("coach", intent=intent)
    await person.daemon.wait_state(lambda state: state["coach"]["status"] == "ready")
    return person.world.judge.asked[-1]


def sessions_that_say(world: World, text: str) -> list[str]:
    """Return the sessions whose evidence holds a text."""
    packets = world.inputs().values()
    return [each["source"]["id"] for each in packets if text in str(each["candidates"])]


async def test_l1_to_l6_a_confirmed_pattern_reaches_a_later_coach(tmp_path: Path) -> None:
    world = open_world(tmp_path)
    world.bind_directory()
    world.judge.rules(promote("mail client", LESSON))
    async with world.daemon() as person:
        # L1: unknown so far.
        assert LESSON not in await coached(person, "write a chapter")
        # L2: confirmed in session A, which is sealed and ended; its live file is gone.
        first = await person.session(note("closing the mail client helped"), task="write a chapter")
        assert person.live() == []
        # L3: another session with the same task; A's evidence is still A's.
        await person.daemon.request("start", next_action="write a chapter")
        await wait_until(lambda: len(person.live()) == 1)
        assert sessions_that_say(world, "closing the mail client helped") == [first]
        # L4: a harvest while it runs, and the person accepts.
        run = await person.learns()
        assert world.entries() == [LESSON]
        await person.daemon.request("complete")
        await wait_until(lambda: person.live() == [])

    # L5: a fresh daemon that can't read the evidence.
    moved = world.data.with_name("out of reach")
    world.data.rename(moved)
    async with world.daemon() as person:
        grounded = await coached(person, "write a chapter")
        shown = await person.does("knowledge", "show")
    assert LESSON in grounded
    assert shown == world.profile.read_text()

    # L6: and it can be traced.
    moved.rename(world.data)
    async with world.daemon() as person:
        why = await person.does("knowledge", "why", world.marks()[0].partition(".")[0])
    assert f"promoted in {run}" in why
    assert "closing the mail client helped" in why
    assert first in why


async def test_no_word_of_it_is_on_the_socket_or_in_a_log(tmp_path: Path) -> None:
    """The canary stands in evidence, profile, proposal, reason and a failing answer."""
    world = open_world(tmp_path)
    world.bind_directory()
    world.profile.write_text(f"{PROFILE}{CANARY}\n")
    world.judge.rules(promote("canary", f"Indeed {CANARY}.", reason=f"as {CANARY}"))
    said: list[str] = []
    async with world.daemon(arguments=["--log-level", "debug"]) as person:

        async def asks(method: str, **params: object) -> None:
            reply = await person.daemon.raw(_request(method, params))
            said.append(reply.decode())

        await asks("capture", text=f"at last {CANARY}")
        world.judge.answers(f"no outcomes, but {CANARY}")
        await asks("harvest_start")
        await wait_until(lambda: any(run["state"] == "failed" for run in world.runs().values()))
        (tmp_path / "ai" / "answer").unlink()
        [run] = world.runs()
        await asks("harvest_retry", run=run)
        await wait_until(lambda: world.runs()[run]["state"] == "proposed")
        for method in ("harvest_run", "harvest_accept", "harvest_accept", "harvest_rejudge"):
            await asks(method, run=run)
        for method in ("knowledge_status", "knowledge_where", "harvest_refresh", "state", "info"):
            await asks(method)
        await asks("capture", text=f"my password is {CANARY.split()[1]}{CANARY}")
        await asks("harvest_rebind", target=run, to="nowhere/x")
        await asks("knowledge_forget", input=next(iter(world.inputs())))
        log, snapshot = person.daemon.log, person.daemon.home.snapshot

        assert world.entries() == [f"Indeed {CANARY}."]
        texts = [*said, log, snapshot.read_text() if snapshot.exists() else ""]
        assert len(said) == 15
        for text in texts:
            assert "canary" not in text
        assert any('"error"' in text for text in said)


def _request(method: str, params: dict[str, object]) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"
