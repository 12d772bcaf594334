"""Running a program: that nothing of it stays behind, whatever it does and however it ends."""

import os
import signal
import sys
import textwrap
from pathlib import Path

import pytest
import trio

from antidriftd.programs.errors import ProgramError
from antidriftd.programs.process import Ending, Outcome
from tests.fakes import ai
from tests.fakes.ai import processes_named, wait_file, wait_processes, write_program
from tests.programs.running import run


def zombies() -> list[str]:
    """Return the children of this process that were never collected."""
    stats = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stats.append((entry / "stat").read_text())
            except OSError:
                continue
    rests = (text.rpartition(")")[2].split() for text in stats)
    return [parent for state, parent, *_ in rests if state == "Z" and parent == str(os.getpid())]


@pytest.mark.parametrize("child", ai.CHILDREN)
@pytest.mark.fault("F28", "judge that won't end")
class TestNothingStaysBehind:
    def write(self, tmp_path: Path, child: str, *, then: str) -> str:
        ready = f"open({str(tmp_path / 'ready')!r}, 'w').close()"
        return write_program(tmp_path, f"{ai.CHILDREN[child]}\n{ready}\n{then}")

    @pytest.mark.fault("F29", "grandchild holds the pipes")
    async def test_after_an_answer_which_is_used(self, tmp_path: Path, child: str) -> None:
        program = self.write(tmp_path, child, then=f"print('{ai.VERDICT}')")
        with trio.fail_after(15):
            outcome = await run(program)
        assert outcome == Outcome(ai.VERDICT.encode() + b"\n", b"", Ending.EXITED, 0)
        assert not processes_named(program)

    async def test_after_a_time_out(self, tmp_path: Path, child: str) -> None:
        program = self.write(tmp_path, child, then="sleep()")
        with trio.fail_after(15):
            outcome = await run(program, timeout_secs=1)
        assert outcome.ending is Ending.TIMED_OUT
        assert not processes_named(program)

    async def test_after_a_cancel(self, tmp_path: Path, child: str) -> None:
        program = self.write(tmp_path, child, then="sleep()")
        with trio.fail_after(15):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run, program)
                await wait_file(tmp_path / "ready")
                nursery.cancel_scope.cancel()
        assert not processes_named(program)

    async def test_after_the_daemon_was_killed(self, tmp_path: Path, child: str) -> None:
        program = self.write(tmp_path, child, then="sleep()")
        private = tmp_path / "private"
        private.mkdir()
        daemon = await start_daemon(program, private)
        await wait_file(tmp_path / "ready")
        assert list(private.iterdir())
        daemon.kill()
        await daemon.wait()
        await wait_processes(program, present=False)
        assert not list(private.iterdir())


class TestNoMatterWhat:
    @pytest.mark.parametrize(
        "body",
        [
            "deaf(); sleep()",
            "os.kill(os.getpid(), signal.SIGSTOP)",
            "os.kill(os.getppid(), signal.SIGSTOP); sleep()",
            "fork(os.setsid, deaf, sleep); deaf(); os.kill(os.getppid(), signal.SIGSTOP); sleep()",
            "os.closerange(0, 3); sleep()",
        ],
        ids=["ignores SIGTERM", "stops itself", "stops its ward", "stops its ward, child", "shut"],
    )
    @pytest.mark.fault("F28", "judge that won't end")
    async def test_the_time_out_ends_it(self, tmp_path: Path, body: str) -> None:
        program = write_program(tmp_path, body)
        with trio.fail_after(15):
            outcome = await run(program, timeout_secs=0.5)
        assert outcome.ending is Ending.TIMED_OUT
        assert not processes_named(program)

    async def test_a_killed_ward_is_one_clear_line(self, tmp_path: Path) -> None:
        program = write_program(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)")
        with pytest.raises(ProgramError, match=r"^cannot run /.*/ai: the process that watches"):
            await run(program)
        await wait_processes(program, present=False)

    async def test_a_killed_ward_leaves_no_directory_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        private = tmp_path / "private"
        private.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(private))
        body = "open('secret', 'w').close(); os.kill(os.getppid(), signal.SIGKILL)"
        with pytest.raises(ProgramError):
            await run(write_program(tmp_path, body), files={"a/note.md": "x"})
        assert not list(private.iterdir())

    async def test_many_runs_leave_no_descriptor_thread_zombie_or_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def left() -> tuple[int, int, list[str], list[Path]]:
            return (
                len(list(Path("/proc/self/fd").iterdir())),
                len(list(Path("/proc/self/task").iterdir())),
                zombies(),
                list(private.iterdir()),
            )

        private = tmp_path / "private"
        private.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(private))
        program = write_program(tmp_path, f"{ai.CHILDREN['double fork']}\n{ai.READS_FIRST}")
        await run(program)
        before = left()
        for _ in range(25):
            await run(program)
        assert left() == before

    @pytest.mark.fault("F28", "judge that won't end", is_control=True)
    @pytest.mark.fault("F29", "grandchild holds the pipes", is_control=True)
    async def test_the_search_for_survivors_finds_one(self, tmp_path: Path) -> None:
        """The control: run without a ward, a child that left the session does stay behind."""
        program = write_program(tmp_path, ai.CHILDREN["leaves the session"])
        await trio.run_process([program])
        survivors = processes_named(program)
        for pid in survivors:
            os.kill(pid, signal.SIGKILL)
        assert len(survivors) == 1


async def start_daemon(program: str, private: Path) -> trio.Process:
    """Start a process that runs `program` as the daemon does."""
    script = """
    import os, trio
    from antidriftd.programs.process import run_program
    async def main():
        await run_program([os.environ["PROGRAM"]], prompt=b"", timeout_secs=300, environ={})
    trio.run(main)
    """
    # Named in the environment: on the command line it would look like the program itself.
    repository = str(Path(__file__).parents[3])
    return await trio.lowlevel.open_process(
        [sys.executable, "-c", textwrap.dedent(script)],
        env=os.environ | {"PYTHONPATH": repository, "PROGRAM": program, "TMPDIR": str(private)},
    )
