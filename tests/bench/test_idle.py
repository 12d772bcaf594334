"""The heartbeat is told from wake-ups that it doesn't explain."""

from antidriftd.adapters.windows.program import ALIVE_EVERY_SECS
from tests.bench.idle import Rest


def rest(*moments: float) -> Rest:
    return Rest(moments=list(moments))


def test_a_heartbeat_alone_is_not_beyond_itself() -> None:
    beats = [2.0 + number * ALIVE_EVERY_SECS for number in range(4)]

    assert rest().beyond_the_heartbeat() == 0
    assert rest(*beats).beyond_the_heartbeat() == 0
    assert rest(*beats, beats[1] + 0.1).beyond_the_heartbeat() == 0  # one beat, in two looks


def test_a_single_wake_up_between_the_beats_is_found() -> None:
    beats = [2.0 + number * ALIVE_EVERY_SECS for number in range(4)]

    assert rest(0.5, *beats).beyond_the_heartbeat() == 1


def test_a_tick_a_second_is_found() -> None:
    assert rest(*map(float, range(30))).beyond_the_heartbeat() >= 20
