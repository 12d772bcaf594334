"""The X11 program by itself, with signs of life five times a second instead of every 9 s."""

import trio

from tests.adapters.windows.x11_program import ALIVE, open_program
from tests.x11 import XClient, open_x_server


async def test_it_gives_signs_of_life_while_nothing_changes(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program:
        await program.wait_line("window")

        for _ in range(5):
            assert len(await program.wait_line(ALIVE)) == 1


async def test_it_gives_signs_of_life_while_changes_that_mean_nothing_pour_in(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program, trio.open_nursery() as nursery:
        window = client.make_window("XTerm", "vim")
        client.set_active(window)
        await program.wait_line("vim")

        async def pour() -> None:
            while True:
                client.set_property(client.root, "_NET_CLIENT_LIST", [7], "WINDOW", 32)
                client.set_title(window, b"vim")
                client.set_active(window)
                await trio.sleep(0.005)

        nursery.start_soon(pour)
        for _ in range(5):
            assert len(await program.wait_line(ALIVE)) == 1
        nursery.cancel_scope.cancel()


async def test_it_gives_no_sign_of_life_for_a_server_that_does_not_answer() -> None:
    async with open_x_server() as server, open_program(server.name) as program:
        await program.wait_line(ALIVE)
        server.freeze()

        with trio.move_on_after(1.5) as patience:
            # What was on its way when the server froze, at most.
            await program.wait_line(ALIVE)
            await program.wait_line(ALIVE)
        assert patience.cancelled_caught

        server.thaw()
        await program.wait_line(ALIVE)


async def test_it_finds_out_that_a_window_is_gone_though_nobody_says_so(
    x_display: str, client: XClient
) -> None:
    async with open_program(x_display) as program:
        window = client.make_window("XTerm", "vim")
        client.set_active(window)
        await program.wait_line("vim")

        client.destroy(window)

        await program.wait_line('"window": null')
