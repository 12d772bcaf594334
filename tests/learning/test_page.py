"""The walk through docs/knowledge.md, typed line by line in a home in which nothing is."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import trio

from tests.learning.judge import promote
from tests.learning.world import World

PAGE = Path(__file__).parents[2] / "docs" / "knowledge.md"


def walk() -> Iterator[tuple[str, list[str]]]:
    """Yield the commands of the page's example, each with what it is said to print."""
    text = PAGE.read_text().partition("```console\n")[2].partition("```")[0]
    for part in text.removeprefix("$ ").split("\n$ "):
        command, *printed = part.splitlines()
        yield command, printed


def without_chance(line: str, home: str) -> str:
    """Return a printed line without what is another on each machine."""
    line = line.replace(home, "/home/ann")
    return re.sub(r"\b(o-|r-|input )[0-9a-f]{8,12}\b", r"\1ID", line)


async def test_the_walk_through_the_page_goes_as_written(world: World) -> None:
    world.judge.rules(promote("mail", "Writing goes better before the mail is open."))
    run, home = "", str(world.home)
    async with world.daemon() as person:
        for command, printed in walk():
            program, *arguments = shlex.split(re.sub(r"r-[0-9a-f]+", run, command))
            if program != "antidrift":
                await trio.run_process(["sh", "-c", command], env={**os.environ, "HOME": home})
                continue
            done = await person.types(*[each.replace("~", home) for each in arguments])
            assert done.code == 0, done
            told = [*done.out.splitlines(), *done.err.splitlines()]
            assert [without_chance(each, home) for each in told] == [
                without_chance(each, home) for each in printed
            ]
            run = next(iter(world.runs()), "")


async def test_where_the_file_is_not_there_each_verb_says_what_to_do(world: World) -> None:
    place = ("--base", "me", "--directory", str(world.base), "--node", "profile")
    async with world.daemon(ai="local") as person:
        bound = await person.types("knowledge", "init", *place, "--file", "knowledge.md")
        assert f"there is no {world.profile} yet; write it first" in bound.err
        told = await person.does("knowledge", "status")
        assert "E_NODE\n  it isn't there: write its file" in told
        assert "the coach reads" not in told
        assert "make it" in await person.fails("capture", "a thought", code="E_NODE")
        world.profile.write_text("Me.\n")
        await person.does("capture", "a thought")
        assert "set ai.backend in config.toml" in await person.fails("harvest", code="E_BACKEND")


async def test_a_harvest_that_failed_says_so_everywhere_with_what_to_type(world: World) -> None:
    world.bind_directory()
    world.judge.answers("no JSON at all")
    async with world.daemon() as person:
        await person.does("capture", "a thought")
        message = await person.fails("harvest", code="E_JUDGMENT")
        run = next(iter(world.runs()))
        assert f"{run} has failed; see why: antidrift harvest show {run}" in message
        shown = await person.does("harvest", "show", run)
        assert "failed (E_JUDGMENT)  1 input, me/profile" in shown
        assert f"antidrift harvest retry {run}, or: reject {run} --reason WHY" in shown
        assert "harvests: 1 waiting for you" in await person.does("status")
