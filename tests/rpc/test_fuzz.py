"""Frames that no client would send, by the ten thousand, and what they may cost."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio

from protocol import jsonrpc
from tests.clients import Client
from tests.daemons import open_daemon
from tests.faults.forks import open_forked, open_forks
from tests.faults.table import Fault, Tell, control
from tests.processes import forget_peak_rss, open_files, peak_rss_kib, rss_kib
from tests.waiting import wait_until

FRAMES = 20_000
READ = 200_000
"""So many are only read: that costs less. The campaign sends as many, and more."""
WARM_UP = 4_000
MUTATED = "mutated frames"
BLOCK = 250

SEEDS = [
    b'{"jsonrpc":"2.0","id":1,"method":"state"}',
    b'{"jsonrpc":"2.0","id":1,"method":"info"}',
    b'{"jsonrpc":"2.0","id":1,"method":"watch"}',
    b'{"jsonrpc":"2.0","id":"a","method":"plan","params":{"intent":"read \xc3\xa9"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"start","params":{"next_action":"write","timebox_secs":60}}',
    b'{"jsonrpc":"2.0","id":1,"method":"start","params":{"allowed_window_titles":["draft","a"]}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ontask","params":{"window_class":"gimp"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"extend","params":{"secs":60}}',
    b'{"jsonrpc":"2.0","id":1,"method":"complete"}',
    b'{"jsonrpc":"2.0","id":1,"method":"review","params":{"outcome":"done","note":"well"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"display","params":{"display":":0"}}',
    b'[{"jsonrpc":"2.0","id":1,"method":"state"},{"jsonrpc":"2.0","id":2,"method":"info"}]',
]
PIECES = [
    b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u0000", b"\\ud800", b"\x00", b"\xff",
    b"\xc3", b"\r", b"\n", b"null", b"true", b"-", b"1e999", b"9" * 400, b"NaN", b"[" * 500,
    b'"id":', b'"method":', b'"params":', b"\xef\xbb\xbf", b" " * 100,
]  # fmt: skip


READS_WITHOUT_END = """
from antidriftd.rpc import connection
connection.MAX_REQUEST_BYTES = 1 << 40
"""


def mutated(rng: random.Random) -> bytes:
    frame = bytearray(rng.choice(SEEDS))
    for _ in range(rng.choice([1, 1, 1, 2, 4, 8])):
        at, to = sorted(rng.randrange(len(frame) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0 if frame:
                frame[min(at, len(frame) - 1)] ^= 1 << rng.randrange(8)
            case 1:
                frame[at:at] = rng.choice(PIECES)
            case 2:
                del frame[at : min(to, at + 20)]
            case 3:
                frame[at:at] = frame[at:to]
            case 4:
                frame[at:to] = rng.choice(PIECES)
            case _:
                frame = frame[:at] + rng.choice(SEEDS)[at:]
    return bytes(frame)


async def replies_to(client: Client, block: list[bytes]) -> list[tuple[list[Any], int]]:
    """Send frames, each with a question after it; return their replies and the revisions then."""
    data = b"".join(
        frame + b'\n{"jsonrpc":"2.0","id":"end %d","method":"state"}\n' % number
        for number, frame in enumerate(block)
    )
    answered: list[tuple[list[Any], int]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.send, data)
        for number in range(len(block)):
            replies: list[Any] = []
            while True:
                message = await client.receive()
                if isinstance(message, dict) and message.get("id") == f"end {number}":
                    break
                if not (isinstance(message, dict) and message.get("method") == "state"):
                    replies += message if isinstance(message, list) else [message]
            answered.append((replies, message["result"]["revision"]))
    return answered


@pytest.fixture
def memory_disk() -> Iterator[Path]:
    """A directory that costs no time to sync: what is tried here is not the disk."""
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


async def test_mutated_frames_neither_crash_nor_change_nor_cost_anything(
    tmp_path: Path, memory_disk: Path, tell_fault: Tell
) -> None:
    rng = random.Random(20_240_229)  # noqa: S311  # the same frames in every run
    errors = results = memory = files = 0
    env = {"ANTIDRIFT_STATE_DIR": str(memory_disk), "DBUS_SESSION_BUS_ADDRESS": "none:"}
    # A profile that is being read would change the state by itself.
    config = "[knowledge]\nenabled = false\n"
    opened = open_daemon(tmp_path, env=env, config=config)
    async with opened as daemon, daemon.connect() as client:
        # A start says where it listens and which two buses it lacks.
        await wait_until(lambda: daemon.log.count("\n") == 3)
        revision = (await client.request("state"))["revision"]
        for sent in range(0, FRAMES, BLOCK):
            if sent == WARM_UP:
                memory, files = rss_kib(daemon.pid), open_files(daemon.pid)
            block = [mutated(rng) for _ in range(BLOCK)]
            for frame, (replies, after) in zip(block, await replies_to(client, block), strict=True):
                failed = [reply for reply in replies if "error" in reply]
                errors += len(failed)
                results += len(replies) - len(failed)
                assert all(reply["error"]["code"] != -32603 for reply in failed), frame
                if replies and failed == replies:
                    assert after == revision, frame
                assert after >= revision
                revision = after

        tell_fault(Fault("F20", MUTATED, FRAMES, 0))
        assert errors > FRAMES / 2
        assert results > FRAMES / 100
        assert rss_kib(daemon.pid) - memory < 4 * 1024
        assert open_files(daemon.pid) == files
        assert daemon.log.count("\n") == 3, daemon.log


def break_reading(frames: int, decode: Callable[[bytes], object]) -> list[bytes]:
    """Return the first frame that a reader can't cope with, if there is one."""
    rng = random.Random(20_261_130)  # noqa: S311  # the same frames in every run
    for _ in range(frames):
        for line in mutated(rng).split(b"\n"):
            try:
                decode(line)
            except Exception:
                return [line]
    return []


def test_no_mutated_frame_breaks_the_reading(tell_fault: Tell) -> None:
    broke = break_reading(READ, jsonrpc.decode)
    tell_fault(Fault("F20", MUTATED, READ, len(broke)))

    assert broke == []


def test_a_reader_that_trusts_what_it_reads_is_caught(tell_fault: Tell) -> None:
    broke = break_reading(READ, lambda line: json.loads(line)["method"])
    tell_fault(Fault("F20", MUTATED, 0, 0, control(is_caught=broke != [])))

    assert broke != []


@pytest.mark.fault("F19", "a request without an end")
async def test_what_never_ends_costs_no_memory(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.raw(b"x" * (1 << 20))
        forget_peak_rss(daemon.pid)
        before = rss_kib(daemon.pid)
        for byte in (b"x", b"[", b'"'):
            reply = await daemon.raw(byte * (64 << 20))
            assert json.loads(reply)["error"]["code"] == -32600

        assert peak_rss_kib(daemon.pid) - before < 2 * 1024


@pytest.mark.fault("F19", "a request without an end", is_control=True)
async def test_a_daemon_that_reads_without_end_is_caught(tmp_path: Path) -> None:
    with open_forks(READS_WITHOUT_END) as forks:
        async with open_forked(forks, tmp_path) as daemon, daemon.connect() as client:
            await client.request("state")
            before = rss_kib(daemon.pid)
            await client.send(b"x" * (16 << 20))

            await wait_until(lambda: rss_kib(daemon.pid) - before > 8 * 1024)


async def test_a_small_batch_that_asks_for_a_lot_costs_little_memory(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon, daemon.connect() as client:
        titles = [f"{number:02}" + "é" * 1000 for number in range(30)]
        await client.request("start", next_action="write", allowed_window_titles=titles)
        batch = b"[" + b",".join([SEEDS[0]] * 1500) + b"]\n"
        await daemon.raw(batch)
        forget_peak_rss(daemon.pid)
        before = rss_kib(daemon.pid)
        reply = await daemon.raw(batch)

        assert json.loads(reply)["error"]["code"] == -32600
        # All of the answers together would be more than 85 MiB.
        assert peak_rss_kib(daemon.pid) - before < 8 * 1024
