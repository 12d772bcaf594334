"""SIGTERM at an awkward moment: everything is ended and saved, and the exit is clean."""

import json
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import trio

from tests.clients import Gone
from tests.daemons import Daemon, open_daemon
from tests.fakes import ai

UNDER_WAY = 10
MOST_ALLOWED = 190
STOPS_WITHIN_SECS = 15
"""Far more than it takes, so that a busy machine is no failure."""


async def stop(daemon: Daemon) -> int:
    with trio.fail_after(STOPS_WITHIN_SECS):
        return await daemon.terminate()


async def wait_gone(path: Path) -> None:
    while True:
        if not await trio.Path(path).exists():
            return
        await trio.sleep(0.05)


async def test_it_stops_while_clients_are_connected(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(daemon.connect()) for _ in range(20)]
        for number, client in enumerate(clients):
            if number % 4 == 0:
                await client.request("watch")
            if number % 4 == 1:
                await client.send(b'{"jsonrpc":"2.0","id":1,"met')
        await daemon.request("plan", intent="read")

        assert await stop(daemon) == 0
        for client in clients:
            await client.receive_rest()  # closed, whatever was still on its way
        assert not daemon.home.socket.exists()


async def allow_until_gone(
    daemon: Daemon, acknowledged: list[str], task_status: trio.TaskStatus[None]
) -> None:
    """Allow one title after the other, and note those that were acknowledged."""
    async with daemon.connect() as client:
        with suppress(Gone, trio.BrokenResourceError):
            for number in range(MOST_ALLOWED):
                await client.request("ontask", window_title=str(number))
                acknowledged.append(str(number))
                if number == UNDER_WAY:
                    task_status.started()


async def test_what_was_acknowledged_while_it_stopped_is_there_again(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        for _ in range(3):
            await daemon.request("start", next_action="write")
            acknowledged: list[str] = []
            async with trio.open_nursery() as nursery:
                await nursery.start(allow_until_gone, daemon, acknowledged)
                assert await stop(daemon) == 0
            await daemon.start()
            state = await daemon.request("complete")
            await daemon.request("review")

            assert set(acknowledged) <= set(state["commitment"]["allowed_window_titles"])


async def test_the_last_seconds_of_a_session_are_saved(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("start", next_action="write")
        await trio.sleep(1.5)
        assert await stop(daemon) == 0
        evidence = json.loads(daemon.home.snapshot.read_bytes())["body"]["session"]["evidence"]

        assert evidence["unjudged_secs"] > 1


async def test_a_socket_that_took_its_place_is_left(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.socket
        path.unlink()
        path.write_text("somebody else's")

        assert await stop(daemon) == 0
        assert path.read_text() == "somebody else's"


async def test_the_programs_that_it_started_end_with_it(tmp_path: Path) -> None:
    program = ai.write_program(tmp_path, ai.NEVER_ANSWERS)
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "supertux", "title": "SuperTux"}\n')
    async with open_daemon(
        tmp_path,
        sensor=f"replay:{recording}",
        ai="command",
        env={"ANTIDRIFT_AI_CMD": program},
        config="[drift]\ndwell_secs = 0\n",
    ) as daemon:
        await daemon.request("start", next_action="write")
        await ai.wait_processes(program, present=True)
        await ai.wait_processes(str(recording), present=True)

        assert await stop(daemon) == 0
        await ai.wait_processes(program, present=False, timeout_secs=0.5)
        await ai.wait_processes(str(recording), present=False, timeout_secs=0.5)


async def test_it_stops_although_the_disk_hangs(tmp_path: Path) -> None:
    slow = "inject=fsync:delay_enter=60000000"  # microseconds
    prefix = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", slow)
    async with open_daemon(tmp_path, prefix=prefix) as daemon:
        pid = (await daemon.request("info"))["pid"]
        async with daemon.connect() as client:
            await client.send(b'{"jsonrpc":"2.0","id":1,"method":"plan"}\n')
            await trio.sleep(0.5)
            # Meanwhile others are served, and shown what is on disk.
            assert (await daemon.request("state"))["runtime"] == "idle"
            await trio.run_process(["kill", str(pid)])
            with trio.fail_after(STOPS_WITHIN_SECS):
                assert await client.receive_rest() == b""  # never acknowledged
        await daemon.wait_log("did not answer")
        with trio.fail_after(STOPS_WITHIN_SECS):
            await wait_gone(daemon.home.socket)
