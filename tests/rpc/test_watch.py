"""`watch`: the state first, then every news, and the newest for whoever is slow."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.rpc.connection import Connection
from tests.clients import Client, States
from tests.rpc.served import Served, open_served

WATCH = b'{"jsonrpc":"2.0","id":7,"method":"watch"}'


async def title_of(client: Client) -> str:
    title: str = (await client.next_state())["window"]["title"]
    return title


async def nothing_comes(client: Client) -> bool:
    with trio.move_on_after(5) as waiting:
        await client.receive()
    return waiting.cancelled_caught


def focus(served: Served, title: str) -> None:
    served.sensor.focus("code", title)


async def test_the_state_comes_first_and_then_each_that_follows(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        states = States(client)
        first = await anext(states)
        assert first == await served.request("state")

        focus(served, "main.py")
        second = await anext(states)
        assert second["window"]["title"] == "main.py"
        assert second["revision"] > first["revision"]

        planned = await served.request("plan", intent="read")
        third = await anext(states)
        assert (third["revision"], third["intent"]) == (planned["revision"], "read")


async def test_a_notification_is_a_jsonrpc_notification(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        focus(served, "main.py")
        message = await client.receive()

    assert message.keys() == {"jsonrpc", "method", "params"}
    assert (message["jsonrpc"], message["method"]) == ("2.0", "state")


async def test_nothing_is_sent_while_nothing_changes(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await served.request("start", next_action="read", timebox_secs=86_400)
        await client.request("watch")
        for _ in range(60):
            await trio.sleep(30)
            await served.request("state")

        assert await nothing_comes(client)


async def test_a_state_call_counts_without_a_new_revision(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        started = await served.request("start", next_action="read")
        await trio.sleep(100)
        later = await served.request("state")

    assert later["revision"] == started["revision"]
    assert later["evidence"]["unjudged_secs"] == pytest.approx(100, abs=1)


async def test_whoever_asks_after_a_suspend_has_watchers_told_too(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await served.request("start", next_action="read", timebox_secs=86_400)
        await client.request("watch")
        served.clock.suspend(5 * 3600)
        asked = await served.request("state")

        assert asked["commitment"]["stale"] is True
        assert (await client.next_state())["revision"] == asked["revision"]


async def test_watching_twice_changes_nothing(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        first = await client.request("watch")
        assert await client.request("watch") == first
        focus(served, "main.py")

        assert await title_of(client) == "main.py"
        assert await nothing_comes(client)


async def test_watching_again_leaves_out_no_state(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        await wait_all_tasks_blocked()  # or else the first one is the last already
        focus(served, "first.py")
        focus(served, "second.py")  # too soon after the first: it is sent later
        again = await client.request("watch")

        assert again["window"]["title"] == "second.py"
        assert await title_of(client) == "second.py"


@pytest.mark.parametrize(
    "line",
    [
        b"[" + WATCH + b"]",
        b"[" + WATCH + b',{"jsonrpc":"2.0","id":8,"method":"watch"}]',
        b'{"jsonrpc":"2.0","method":"watch"}',
    ],
    ids=["in a batch", "twice in a batch", "as a notification"],
)
async def test_it_may_be_asked_for_in_every_form(
    autojump_clock: MockClock, tmp_path: Path, line: bytes
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.send(line + b"\n")
        if b'"id"' in line:
            answers = await client.receive()
            assert all(answer["result"]["runtime"] == "idle" for answer in answers)
        await wait_all_tasks_blocked()
        focus(served, "main.py")

        assert await title_of(client) == "main.py"
        assert await nothing_comes(client)


async def test_what_a_batch_changes_after_it_began_to_watch_is_told(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        plan = b'{"jsonrpc":"2.0","id":8,"method":"plan","params":{"intent":"read"}}'
        await client.send(b"[" + WATCH + b"," + plan + b"]\n")
        watched, planned = await client.receive()

        assert "intent" not in watched["result"]
        assert (await client.next_state())["revision"] == planned["result"]["revision"]


async def test_who_begins_to_watch_brings_others_nothing_twice(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as early:
        await early.request("watch")
        async with served.connect() as late:
            plan = b'{"jsonrpc":"2.0","method":"plan","params":{"intent":"read"}}'
            await late.send(b"[" + WATCH + b"," + plan + b"]\n")
            await late.receive()
            assert (await late.next_state())["intent"] == "read"

        assert (await early.next_state())["intent"] == "read"
        assert await nothing_comes(early)


async def test_a_refused_watch_does_not_watch(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.send(WATCH.replace(b"}", b',"params":{"since":1}}') + b"\n")
        assert (await client.receive())["error"]["code"] == -32602
        focus(served, "main.py")

        assert await nothing_comes(client)


async def test_a_watching_client_may_go_on_asking(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        planned = await client.request("plan", intent="read")

        assert planned["intent"] == "read"
        assert (await client.request("info"))["protocol"] == 1


async def test_each_watcher_is_told_the_same(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, trio.open_nursery() as nursery:
        seen: dict[int, list[Any]] = {}

        async def watch(number: int) -> None:
            async with served.connect() as client:
                seen[number] = [await client.request("watch")]
                while seen[number][-1].get("window", {}).get("title") != "last":
                    seen[number].append(await client.next_state())

        for number in range(30):
            nursery.start_soon(watch, number)
        await wait_all_tasks_blocked()
        for number in range(20):
            focus(served, f"{number}.py")
            await trio.sleep(0.2)
        focus(served, "last")

    assert all(states == seen[0] for states in seen.values())
    assert len(seen[0]) == 22


async def test_bursts_are_coalesced_and_the_last_state_arrives(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        await wait_all_tasks_blocked()
        told: list[tuple[float, int, str]] = []

        async def watch() -> None:
            while True:
                state = await client.next_state()
                told.append((trio.current_time(), state["revision"], state["window"]["title"]))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            for number in range(1000):
                focus(served, f"{number}.py")
                await trio.sleep(0.01)
            await trio.sleep(1)
            nursery.cancel_scope.cancel()

    times = [at for at, _, _ in told]
    assert max(sum(at <= other < at + 1 for other in times) for at in times) <= 10
    assert len(told) > 80
    assert [revision for _, revision, _ in told] == sorted({revision for _, revision, _ in told})
    assert (told[0][2], told[-1][2]) == ("0.py", "999.py")


async def test_a_change_of_durable_is_a_new_revision(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        served.store.trouble = "No space left on device"
        refused = await served.request("plan", intent="read")
        assert not refused["durable"]
        assert "No space left on device" in refused["notices"][0]
        told = await client.next_state()
        assert (told["revision"], told["durable"]) == (refused["revision"], False)

        served.store.trouble = ""
        saved = await client.next_state()
        assert (saved["durable"], saved["intent"]) == (True, "read")
        assert saved["revision"] > refused["revision"]
        assert "notices" not in saved


async def test_a_watcher_that_is_gone_is_forgotten(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        for _ in range(20):
            async with served.connect() as client:
                await client.request("watch")
        await wait_all_tasks_blocked()
        gc.collect()

        assert not [thing for thing in gc.get_objects() if isinstance(thing, Connection)]


async def test_a_watcher_that_ends_its_side_is_closed(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        (line,) = (await served.raw(WATCH + b"\n")).splitlines()

    assert json.loads(line)["id"] == 7
