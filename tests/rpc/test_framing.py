"""From bytes to requests: every way in which a stream can be cut, joined, too long or too slow."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.rpc import connection
from protocol.connection import MAX_REPLY_BYTES, MAX_REQUEST_BYTES
from tests.rpc.served import Served, open_served

STATE = b'{"jsonrpc":"2.0","id":1,"method":"state"}'


def replies(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def padded(length: int, *, request_id: int = 1) -> bytes:
    """Return a request of exactly so many bytes."""
    bare = b'{"jsonrpc":"2.0","id":%d,"method":"state"%b}'
    return bare % (request_id, b" " * (length - len(bare % (request_id, b""))))


async def ask(served: Served, data: bytes) -> list[Any]:
    return replies(await served.raw(data))


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_half_closed_client_is_answered_and_then_closed(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        (reply,) = await ask(served, STATE + b"\n")

    assert (reply["id"], reply["result"]["runtime"]) == (1, "idle")


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_half_closed_client_still_learns_what_took_time(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        served.store.delay_secs = 3.0
        (reply,) = await ask(served, STATE.replace(b"state", b"plan") + b"\n")

    assert reply["result"]["durable"] is True


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n\n", b"\r\n\r\n", b"\n\r\n\n"])
@pytest.mark.fault("F25", "everything that JSON-RPC allows")
async def test_every_line_end_is_taken_and_empty_lines_are_not_answered(
    tmp_path: Path, end: bytes
) -> None:
    async with open_served(tmp_path) as served:
        answers = await ask(served, end + padded(100) + end + padded(90, request_id=2) + end)

    assert [answer["id"] for answer in answers] == [1, 2]


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_request_that_is_cut_short_is_not_run(tmp_path: Path) -> None:
    request = b'{"jsonrpc":"2.0","id":1,"method":"plan"}'
    async with open_served(tmp_path) as served:
        for length in range(len(request) + 1):  # the whole of it lacks its line end
            assert await served.raw(request[:length]) == b""
        assert (await served.request("state"))["runtime"] == "idle"


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_request_may_come_byte_by_byte(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        for byte in STATE + b"\n":
            await client.send(bytes([byte]))
            await wait_all_tasks_blocked()

        assert (await client.receive())["id"] == 1


@pytest.mark.fault("F25", "everything that JSON-RPC allows")
async def test_requests_that_come_in_one_write_are_answered_in_order(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        request_ids = list(range(200))
        data = b"".join(padded(80, request_id=number) + b"\n" for number in request_ids)
        answers = await ask(served, data)

    assert [answer["id"] for answer in answers] == request_ids


async def test_each_of_many_clients_gets_its_own_replies(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:

        async def talk(first: int) -> None:
            async with served.connect() as client:
                for number in range(first, first + 50):
                    await client.send(padded(80, request_id=number) + b"\n")
                    assert (await client.receive())["id"] == number

        async with trio.open_nursery() as nursery:
            for client in range(50):
                nursery.start_soon(talk, 1000 * client)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.fault("F19", "a request without an end")
async def test_a_request_of_the_greatest_length_is_answered(tmp_path: Path, end: bytes) -> None:
    async with open_served(tmp_path) as served:
        data = padded(MAX_REQUEST_BYTES) + end + STATE + end
        answers = await ask(served, data)

    assert [answer["id"] for answer in answers] == [1, 1]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.fault("F19", "a request without an end")
async def test_a_longer_request_is_refused_once_and_the_connection_closed(
    tmp_path: Path, end: bytes
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.send(STATE + b"\n" + padded(MAX_REQUEST_BYTES + 1) + end)
        first, refusal = replies(await client.receive_rest())

        assert first["id"] == 1  # what came before it has its answer
        assert refusal["id"] is None
        assert refusal["error"]["code"] == -32600
        assert refusal["error"]["data"] == {"kind": "invalid_request", "runtime": "idle"}
        assert (await served.request("state"))["runtime"] == "idle"


@pytest.mark.fault("F19", "a request without an end")
async def test_a_line_without_end_is_refused_at_the_limit(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        with pytest.raises(trio.BrokenResourceError):
            await client.send(b"x" * (200 * 1024 * 1024))
        (refusal,) = replies(await client.receive_rest())

    assert refusal["error"]["code"] == -32600


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_frame_must_be_finished_ten_seconds_after_it_was_begun(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:

        async def drip() -> None:
            with suppress(trio.BrokenResourceError):
                for byte in padded(1000):
                    await client.send(bytes([byte]))
                    await trio.sleep(1)

        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(drip)
            assert await client.receive_rest() == b""
            nursery.cancel_scope.cancel()

        assert trio.current_time() - begun == pytest.approx(10, abs=1)
        assert (await served.request("state"))["runtime"] == "idle"


@pytest.mark.fault("F18", "clients that send half, or close half")
async def test_a_frame_is_begun_anew_after_each_request(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        for _ in range(5):
            await client.send(STATE[:20])
            await trio.sleep(8)
            await client.send(STATE[20:] + b"\n" + STATE[:5])
            assert (await client.receive())["id"] == 1
            await trio.sleep(8)
            await client.send(STATE[5:] + b"\n")
            assert (await client.receive())["id"] == 1


async def test_a_client_that_says_nothing_is_kept(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await trio.sleep(3600)
        await client.request("state")
        await client.send(b"\n")
        await trio.sleep(3600)
        await client.request("state")


async def test_a_reply_of_300_kib_arrives_whole(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        length = await served.grow_state()
        await client.send(STATE + b"\n" + STATE + b"\n")
        await trio.sleep(5)  # less than a stalled reader is allowed

        for _ in range(2):
            reply = await client.receive()
            assert reply["id"] == 1
            assert len(json.dumps(reply, ensure_ascii=False).encode()) > length > 300 * 1024
            assert len(reply["result"]["commitment"]["allowed_window_titles"]) == 200


async def test_the_longest_state_fits_a_reply(tmp_path: Path) -> None:
    """No window, allowance or note may make a state that can't be sent."""
    async with open_served(tmp_path) as served:
        await served.grow_state()
        wide = '\\"' * 128
        for number in range(60):
            served.sensor.focus(f"{number:02}{wide}"[:256], '"' * 1024)
        line = await served.raw(STATE + b"\n")

    assert len(line) < MAX_REPLY_BYTES
    assert replies(line)[0]["result"]["runtime"] == "active"


@pytest.mark.fault("F18", "clients that send half, or close half", is_control=True)
async def test_a_daemon_that_waits_for_the_other_half_is_caught(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FRAME_SECS", 1e9)
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.send(STATE[:20])
        with trio.move_on_after(29) as waiting:
            await client.receive_rest()

    assert waiting.cancelled_caught
