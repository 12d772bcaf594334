"""Readers that stop: they cost one frame and one state, and nobody else notices."""

import json
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.rpc import outbox
from tests.clients import Refused, States
from tests.rpc.served import open_served

STATE = b'{"jsonrpc":"2.0","id":1,"method":"state"}\n'
STALLED_AFTER_SECS = 10


@pytest.mark.fault("F17", "readers that stop")
async def test_a_watcher_that_stops_reading_is_dropped_after_ten_seconds(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, connections=2) as served:
        await served.grow_state()
        async with served.connect() as stopped, served.connect() as reader:
            await stopped.request("watch")
            states = States(reader)
            await anext(states)
            begun = trio.current_time()
            for number in range(8):
                served.sensor.focus("code", f"{number}.py")
                assert (await anext(states))["window"]["title"] == f"{number}.py"
                await trio.sleep(1)
            assert trio.current_time() - begun == pytest.approx(8, abs=0.5)

            await trio.sleep(STALLED_AFTER_SECS)
            await wait_all_tasks_blocked()
            rest = await stopped.receive_rest()
            assert not rest.endswith(b"\n")  # cut off within a frame, and not written to again
            served.sensor.focus("code", "last.py")
            assert (await anext(states))["window"]["title"] == "last.py"
            # Its place is free.
            assert (await served.request("state"))["window"]["title"] == "last.py"


@pytest.mark.fault("F17", "readers that stop")
async def test_a_client_that_stops_reading_its_reply_is_dropped(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path, connections=1) as served:
        await served.grow_state()
        async with served.connect() as stopped:
            await stopped.send(STATE * 100)
            await trio.sleep(STALLED_AFTER_SECS + 1)
            assert not (await stopped.receive_rest()).endswith(b"\n")
        assert (await served.request("state"))["runtime"] == "active"


async def test_one_that_reads_on_in_time_gets_the_newest_state_and_whole_frames(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.grow_state()
        async with served.connect() as client:
            await client.request("watch")
            for _ in range(3):
                for number in range(50):
                    served.sensor.focus("code", f"{number}.py")
                    await trio.sleep(0.15)
                served.sensor.focus("code", "last.py")
                await trio.sleep(1)
                seen = [await client.next_state() for _ in range(2)]
                while seen[-1]["window"]["title"] != "last.py":
                    seen.append(await client.next_state())
                revisions = [state["revision"] for state in seen]

                assert revisions == sorted(set(revisions))
                assert len(seen) < 5  # what had begun, and what is newest


async def test_replies_are_not_lost_among_states(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        await served.grow_state()
        async with served.connect() as client:
            await client.request("watch")
            for number in range(20):
                served.sensor.focus("code", f"{number}.py")
                await client.send(STATE.replace(b"1,", b"%d," % number))
                await trio.sleep(0.2)
            answered: list[int] = []
            while len(answered) < 20:
                message = await client.receive()
                if "id" in message:
                    answered.append(message["id"])

    assert answered == list(range(20))


async def test_a_reply_never_begins_within_a_state(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """Neither a command's nor a look's, which may both tell the same client a state before."""
    async with open_served(tmp_path) as served:
        await served.grow_state()
        async with served.connect() as client:
            await client.request("watch")
            await trio.sleep(1)
            await client.send(b'{"jsonrpc":"2.0","id":2,"method":"extend","params":{"secs":60}}\n')
            await trio.sleep(1)
            told, replied = await client.receive(), await client.receive()
            assert (told["method"], replied["id"]) == ("state", 2)

            served.clock.suspend(5 * 3600)
            await client.send(STATE)
            await trio.sleep(1)
            told, replied = await client.receive(), await client.receive()
            assert (told["method"], replied["id"]) == ("state", 1)

            served.sensor.focus("code", "main.py")
            await client.send(b"x" * 70_000)
            await trio.sleep(1)
            lines = (await client.receive_rest()).splitlines()

    assert [json.loads(line).get("method") for line in lines] == ["state", None]


async def test_a_client_that_goes_away_in_the_middle_of_its_reply_harms_nobody(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.grow_state()
        for _ in range(20):
            async with served.connect() as client:
                await client.send(b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n' + STATE * 3)
                await wait_all_tasks_blocked()
        served.sensor.focus("code", "main.py")

        assert (await served.request("state"))["window"]["title"] == "main.py"


async def test_a_batch_whose_answer_would_be_too_long_is_refused_as_a_whole(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.grow_state()
        extend = b'{"jsonrpc":"2.0","id":2,"method":"extend","params":{"secs":60}}'
        before = await served.request("state")
        batch = b",".join([STATE.strip()] * 300 + [extend])
        (line,) = (await served.raw(b"[" + batch + b"]\n")).splitlines()
        reply = json.loads(line)

        assert (reply["id"], reply["error"]["code"]) == (None, -32600)
        after = await served.request("state")
        assert after["commitment"]["ends_at"] > before["commitment"]["ends_at"]


@pytest.mark.fault("F17", "readers that stop", is_control=True)
async def test_a_daemon_that_waits_for_its_readers_is_caught(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "STALLED_AFTER_SECS", 1e9)
    async with open_served(tmp_path, connections=1) as served:
        await served.grow_state()
        async with served.connect() as stopped:
            await stopped.send(STATE * 100)
            await trio.sleep(STALLED_AFTER_SECS + 1)
            with pytest.raises(Refused, match="taken"):
                await served.request("state")
