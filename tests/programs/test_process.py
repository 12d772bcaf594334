"""Running a program: what it gets, and what is told of it."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio

from antidriftd.programs.errors import ProgramError
from antidriftd.programs.process import STREAM_CAP_BYTES, Ending, Outcome
from tests.fakes import ai
from tests.fakes.ai import processes_named, write_program
from tests.programs.running import ENVIRON, run


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class TestInput:
    async def test_a_program_that_reads_to_the_end_of_input_first_gets_an_end(
        self, tmp_path: Path
    ) -> None:
        outcome = await run(write_program(tmp_path, ai.READS_FIRST), prompt=b"judge this")
        assert outcome == Outcome(ai.VERDICT.encode() + b"\n", b"", Ending.EXITED, 0)

    async def test_the_prompt_arrives_byte_for_byte(self, tmp_path: Path) -> None:
        prompt = bytes(range(256)) * 200
        program = write_program(tmp_path, "sys.stdout.buffer.write(sys.stdin.buffer.read())")
        assert (await run(program, prompt=prompt)).stdout == prompt

    @pytest.mark.fault("F31", "judge that reads no prompt")
    @pytest.mark.parametrize("body", [f"print('{ai.VERDICT}')", ai.CLOSES_STDIN])
    async def test_a_prompt_that_is_not_read_is_no_error(self, tmp_path: Path, body: str) -> None:
        outcome = await run(write_program(tmp_path, body), prompt=b"x" * (1 << 20))
        assert outcome == Outcome(ai.VERDICT.encode() + b"\n", b"", Ending.EXITED, 0)


class TestSurroundings:
    async def record(self, tmp_path: Path, **environ: str) -> dict[str, Any]:
        outcome = await run(
            write_program(tmp_path, ai.RECORDS),
            "-p",
            "two words",
            prompt=b"private",
            environ=ENVIRON | environ,
        )
        record = json.loads(outcome.stdout)
        assert isinstance(record, dict)
        return record

    async def test_it_gets_its_arguments_and_exactly_the_given_environment(
        self, tmp_path: Path
    ) -> None:
        record = await self.record(tmp_path, XDG_EMPTY="", XDG_SUM="1+1=2")
        assert record["argv"] == ["-p", "two words"]
        assert record["environ"] == {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "XDG_EMPTY": "",
            "XDG_SUM": "1+1=2",
        }
        assert record["stdin"] == "private"

    async def test_its_environment_is_left_alone_without_a_locale_too(self, tmp_path: Path) -> None:
        program = write_program(tmp_path, "os.write(1, open('/proc/self/environ', 'rb').read())")
        assert (await run(program, environ={"HOME": "/h"})).stdout == b"HOME=/h\0"

    async def test_it_has_no_descriptor_but_the_standard_streams(self, tmp_path: Path) -> None:
        leaked = os.open(os.devnull, os.O_RDONLY)
        os.set_inheritable(leaked, True)
        record = await self.record(tmp_path)
        os.close(leaked)
        assert record["fds"] == [0, 1, 2]

    async def test_it_leads_a_session_and_a_group_of_its_own_without_a_terminal(
        self, tmp_path: Path
    ) -> None:
        record = await self.record(tmp_path)
        assert record["leads_session"]
        assert record["leads_group"]
        assert not record["terminal"]

    async def test_it_starts_with_no_signal_blocked_ignored_or_pending(
        self, tmp_path: Path
    ) -> None:
        record = await self.record(tmp_path)
        pending, blocked, ignored = (int(mask, 16) for mask in record["signals"][1:4])
        # Python itself ignores SIGPIPE and SIGXFSZ when it starts; 32 and 33 are the C library's.
        own = 1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)
        assert (pending, blocked, ignored & 0x7FFFFFFF) == (0, 0, own)

    async def test_it_runs_in_an_empty_private_directory_that_is_removed(
        self, tmp_path: Path
    ) -> None:
        record = await self.record(tmp_path)
        assert (record["cwd_mode"], record["cwd_names"]) == (0o700, [])
        assert not await trio.Path(record["cwd"]).exists()

    async def test_its_directory_holds_the_files_that_it_was_to_get(self, tmp_path: Path) -> None:
        body = """
        read = lambda name: open(name, encoding="utf-8").read()
        print(json.dumps([os.listdir("."), read("schema.json"), read("a/b/note.md"), os.getcwd()]))
        """
        files = {"schema.json": '{"type": "object"}', "a/b/note.md": "naïve\n日本"}
        outcome = await run(write_program(tmp_path, body), files=files)
        names, schema, note, directory = json.loads(outcome.stdout)
        assert sorted(names) == ["a", "schema.json"]
        assert {"schema.json": schema, "a/b/note.md": note} == files
        assert not await trio.Path(directory).exists()

    async def test_the_directory_is_removed_with_all_that_it_was_filled_with(
        self, tmp_path: Path
    ) -> None:
        body = """
        os.makedirs("a/b/c")
        open("a/b/c/file", "w").close()
        os.symlink("/etc", "link")
        os.chmod("a/b", 0)
        print(os.getcwd())
        """
        outcome = await run(write_program(tmp_path, body))
        assert not await trio.Path(outcome.stdout.decode().strip()).exists()
        assert await trio.Path("/etc/passwd").exists()


class TestEnding:
    @pytest.mark.parametrize("code", [0, 1, 42, 126, 127, 255])
    async def test_the_exit_code_is_told(self, tmp_path: Path, code: int) -> None:
        body = ai.answers("out", stderr="err", exit_code=code)
        outcome = await run(write_program(tmp_path, body))
        assert outcome == Outcome(b"out", b"err", Ending.EXITED, code)

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
    async def test_a_signal_is_told_as_a_negative_code(self, tmp_path: Path, number: int) -> None:
        outcome = await run(write_program(tmp_path, f"os.kill(os.getpid(), {int(number)})"))
        assert outcome == Outcome(b"", b"", Ending.EXITED, -number)

    @pytest.mark.fault("F35", "exit status honesty")
    async def test_runs_at_the_same_time_each_get_their_own_code(self, tmp_path: Path) -> None:
        codes: dict[int, int | None] = {}

        async def one(code: int) -> None:
            body = ai.answers("", exit_code=code)
            codes[code] = (await run(write_program(tmp_path, body, f"ai{code}"))).exit_code

        async with trio.open_nursery() as nursery:
            for code in range(1, 21):
                nursery.start_soon(one, code)
        assert codes == {code: code for code in range(1, 21)}

    async def test_what_was_printed_before_the_time_out_is_kept(self, tmp_path: Path) -> None:
        program = write_program(tmp_path, "os.write(1, b'half an'); sleep()")
        outcome = await run(program, timeout_secs=0.5)
        assert outcome == Outcome(b"half an", b"", Ending.TIMED_OUT, None)

    @pytest.mark.fault("F30", "judge that floods or drips")
    async def test_a_drip_of_output_does_not_put_off_the_time_out(self, tmp_path: Path) -> None:
        with trio.fail_after(15):
            outcome = await run(write_program(tmp_path, ai.DRIPS), timeout_secs=1)
        assert outcome.ending is Ending.TIMED_OUT
        assert set(outcome.stdout) == set(b".")

    async def test_a_program_may_tidy_up_when_told_to_end(self, tmp_path: Path) -> None:
        note = tmp_path / "note"
        body = f"""
        def tidy(*_):
            time.sleep(0.3)
            open({str(note)!r}, "w").close()
            sys.exit()
        signal.signal(signal.SIGTERM, tidy)
        sleep()
        """
        await run(write_program(tmp_path, body), timeout_secs=0.5)
        assert note.exists()


@pytest.mark.fault("F32", "judge that can't run or fails")
class TestNotStarted:
    async def test_a_missing_program_is_one_clear_line(self) -> None:
        with pytest.raises(ProgramError, match=r"^cannot run /no/such/ai: No such file [^\n]*$"):
            await run("/no/such/ai")

    async def test_a_program_without_the_right_to_run_is_one_clear_line(
        self, tmp_path: Path
    ) -> None:
        program = write_program(tmp_path, ai.READS_FIRST, mode=0o644)
        with pytest.raises(ProgramError, match=r"^cannot run /.*/ai: Permission denied$"):
            await run(program)

    @pytest.mark.parametrize("first_line", ["#!/no/such/interpreter", "\0\0\0\0", ""])
    async def test_a_file_that_cannot_run_is_one_clear_line(
        self, tmp_path: Path, first_line: str
    ) -> None:
        program = tmp_path / "ai"
        program.write_text(first_line + "\n")
        program.chmod(0o755)
        with pytest.raises(ProgramError, match=r"^cannot run /.*/ai: [^\n]+$"):
            await run(str(program))

    async def test_a_directory_that_cannot_be_made_is_one_clear_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program = write_program(tmp_path, ai.READS_FIRST)
        private = tmp_path / "private"
        private.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(private))
        with pytest.raises(ProgramError, match=r"^cannot run /.*/ai: File name too long$"):
            await run(program, files={"x" * 300: ""})
        assert not list(private.iterdir())
        private.rmdir()
        with pytest.raises(ProgramError, match=r"^cannot run /.*/ai: No such file or directory$"):
            await run(program)

    async def test_an_argument_too_long_is_one_clear_line(self, tmp_path: Path) -> None:
        program = write_program(tmp_path, ai.READS_FIRST)
        with pytest.raises(ProgramError, match="Argument list too long"):
            await run(program, "x" * 200_000)

    async def test_a_nul_in_an_argument_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(ProgramError, match="null byte"):
            await run(write_program(tmp_path, ai.READS_FIRST), "a\0b")


class TestFlood:
    @pytest.mark.fault("F30", "judge that floods or drips", is_control=True)
    async def test_what_keeps_all_that_a_program_prints_grows(self, tmp_path: Path) -> None:
        """The control: an eighth of it, taken in by what keeps it all."""
        program = write_program(tmp_path, "os.write(1, b'x' * (1 << 27)) == 1 << 27 or exit(1)")
        before = resident_bytes()
        done = await trio.run_process([program], capture_stdout=True, check=False)
        assert resident_bytes() - before > 2 << 20
        assert len(done.stdout) > STREAM_CAP_BYTES

    @pytest.mark.fault("F31", "judge that reads no prompt", is_control=True)
    async def test_who_insists_on_being_read_fails(self, tmp_path: Path) -> None:
        """The control: a pipe that nobody reads takes no MiB."""
        program = await trio.lowlevel.open_process(
            [write_program(tmp_path, ai.CLOSES_STDIN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert program.stdin is not None
        with pytest.raises(trio.BrokenResourceError):
            await program.stdin.send_all(b"x" * (1 << 20))
        await program.stdin.aclose()
        await program.wait()

    @pytest.mark.fault("F30", "judge that floods or drips")
    @pytest.mark.parametrize("stream", [1, 2])
    async def test_a_flood_is_cut_ended_and_kept_out_of_memory(
        self, tmp_path: Path, stream: int
    ) -> None:
        program = write_program(tmp_path, ai.floods(stream))
        await run(write_program(tmp_path, ai.READS_FIRST, "warm-up"))
        before = resident_bytes()
        outcome = await run(program)
        assert resident_bytes() - before < 2 << 20
        assert outcome.ending is Ending.TOO_MUCH
        assert (len(outcome.stdout), len(outcome.stderr))[stream - 1] == STREAM_CAP_BYTES
        assert not processes_named(program)

    async def test_what_was_printed_before_a_flood_on_the_other_stream_counts(
        self, tmp_path: Path
    ) -> None:
        outcome = await run(write_program(tmp_path, ai.floods(2, before=ai.VERDICT)))
        assert outcome.stdout.decode() == ai.VERDICT
