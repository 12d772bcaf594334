"""From a note to a line of the profile, on a directory."""

from tests.learning.judge import promote
from tests.learning.world import PROFILE, World, note


async def test_a_note_becomes_a_line_of_the_profile_once_it_is_accepted(world: World) -> None:
    world.bind_directory()
    world.judge.rules(promote("before the mail", "Writing goes better before the mail is open."))
    async with world.daemon() as person:
        await person.session(note("writing goes better before the mail is open"))
        run = await person.harvests()

        assert world.profile.read_text() == PROFILE
        assert "+- Writing goes better" in await person.does("harvest", "show", run)

        await person.does("harvest", "accept", run)

    assert world.entries() == ["Writing goes better before the mail is open."]
    assert world.profile.read_text().startswith(PROFILE)
    assert world.states(run) == ["claimed", "judging", "proposed", "publishing", "applied"]
