"""The program with the sentence model: asked, restarted, given up on, and never left behind."""

import math
import os
import sys
import textwrap
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.advisor.semantic.encoder import EncoderError, ProgramEncoder, Vector
from tests.fakes.ai import processes_named, wait_file, wait_processes, write_program
from tests.fakes.encoder import FAILS, TALKS, WORKS

CATS, OTHERS = (1.0, 0.0), (0.0, 1.0)


@asynccontextmanager
async def encoder(
    program: str, *, start_secs: float = 60, answer_secs: float = 60, rest_secs: float = 0
) -> AsyncIterator[ProgramEncoder]:
    made = ProgramEncoder(
        [program],
        os.environ,
        start_secs=start_secs,
        answer_secs=answer_secs,
        rest_secs=rest_secs,
    )
    async with aclosing(made):
        yield made


def starts(tmp_path: Path) -> int:
    file = tmp_path / "starts"
    return len(file.read_text()) if file.exists() else 0


async def test_each_text_gets_its_vector_from_one_program(tmp_path: Path) -> None:
    async with encoder(write_program(tmp_path, WORKS)) as asked:
        assert starts(tmp_path) == 0
        assert await asked.encode(["a cat", "a bill", "a cat"]) == [CATS, OTHERS, CATS]
        assert await asked.encode(["a bill", "cats"]) == [OTHERS, CATS]
        assert await asked.encode([]) == []
    assert starts(tmp_path) == 1


async def test_what_is_known_is_not_asked_again(tmp_path: Path) -> None:
    program = write_program(tmp_path, f"{TALKS}\nanswer(sys.stdin.readline()); sys.stdin.read()")
    async with encoder(program) as asked:
        await asked.encode(["a cat"])
        assert await asked.encode(["a cat"]) == [CATS]


async def test_it_remembers_no_more_than_it_needs(tmp_path: Path) -> None:
    async with encoder(write_program(tmp_path, WORKS)) as asked:
        for at in range(0, 2000, 100):
            await asked.encode(["kept", *(f"text {at + more}" for more in range(100))])
        assert len(asked._known) <= 512
        assert "kept" in asked._known


@pytest.mark.parametrize("fault", FAILS)
async def test_a_fault_is_said_in_a_line_and_leaves_no_process(tmp_path: Path, fault: str) -> None:
    program = write_program(tmp_path, FAILS[fault])
    async with encoder(program, start_secs=1 if "hangs" in fault else 60) as asked:
        with pytest.raises(EncoderError) as caught:
            await asked.encode(["a cat"])
        assert str(caught.value).isprintable()
        assert not processes_named(program)


async def test_a_program_that_crashed_is_started_again(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, f"{TALKS}\nfor line in sys.stdin: os.abort() if first else answer(line)"
    )
    async with encoder(program) as asked:
        with pytest.raises(EncoderError):
            await asked.encode(["a cat"])
        assert await asked.encode(["a cat"]) == [CATS]
    assert starts(tmp_path) == 2


async def test_after_a_fault_it_rests_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, FAILS["crashes"])
    async with encoder(program, rest_secs=math.inf) as asked:
        for _ in range(3):
            with pytest.raises(EncoderError):
                await asked.encode(["a cat"])
    assert starts(tmp_path) == 1


async def test_an_answer_after_the_first_is_waited_for_less_long(tmp_path: Path) -> None:
    program = write_program(tmp_path, f"{TALKS}\nanswer(sys.stdin.readline()); sleep()")
    async with encoder(program, answer_secs=0.2) as asked:
        await asked.encode(["a cat"])
        with pytest.raises(EncoderError, match=r"no answer in 0\.2 s"):
            await asked.encode(["a bill"])


async def test_a_cancelled_question_is_not_answered_to_the_next(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    slow = f"open({str(ready)!r}, 'w').close(); sleep() if first else answer(line)"
    program = write_program(tmp_path, f"{TALKS}\nfor line in sys.stdin: {slow}")
    async with encoder(program) as asked:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asked.encode, ["a cat"])
            await wait_file(ready)
            nursery.cancel_scope.cancel()
        assert not processes_named(program)
        assert await asked.encode(["a bill"]) == [OTHERS]


async def test_two_who_ask_at_once_take_turns(tmp_path: Path) -> None:
    got: dict[str, Sequence[Vector]] = {}

    async def ask(text: str) -> None:
        got[text] = await asked.encode([text])

    async with encoder(write_program(tmp_path, WORKS)) as asked, trio.open_nursery() as nursery:
        nursery.start_soon(ask, "a cat")
        nursery.start_soon(ask, "a bill")
    assert got == {"a cat": [CATS], "a bill": [OTHERS]}


async def test_the_program_gets_what_python_needs_and_no_more(tmp_path: Path) -> None:
    told = tmp_path / "told"
    body = f"{TALKS}\nopen({str(told)!r}, 'w').write(' '.join(os.environ))\n{WORKS}"
    made = ProgramEncoder([write_program(tmp_path, body)], {"HOME": "/", "SECRET": "x"})
    async with aclosing(made):
        await made.encode(["a cat"])
    assert set(told.read_text().split()) - {"LC_CTYPE"} == {"PYTHONPATH"}


async def test_a_missing_program_is_a_fault_like_others() -> None:
    async with encoder("/nowhere/python") as asked:
        with pytest.raises(EncoderError):
            await asked.encode(["a cat"])


async def test_it_ends_with_a_daemon_that_is_killed(tmp_path: Path) -> None:
    body = f"{TALKS}\nfor line in sys.stdin: answer(line); deaf(); sleep()"
    program = write_program(tmp_path, body)
    daemon = textwrap.dedent(f"""
        import os, trio
        from antidriftd.adapters.advisor.semantic.encoder import ProgramEncoder

        async def main():
            encoder = ProgramEncoder([{program!r}], os.environ)
            await encoder.encode(["a cat"])
            os.kill(os.getpid(), 9)

        trio.run(main)
    """)
    assert (await trio.run_process([sys.executable, "-c", daemon], check=False)).returncode == -9
    await wait_processes(program, present=False)
