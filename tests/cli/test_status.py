"""What `status` shows, and what a start says besides."""

from msgspec.structs import replace

from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import (
    ACTIVE,
    IN_TERMINAL,
    NOON,
    PAUSED,
    TEN_PAST,
)

SINCE = TEN_PAST.astimezone().strftime("%H:%M")


def test_status_shows_all_of_it(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.state = replace(IN_TERMINAL, durable=False, notices=("the disk is full",))
    code, out, err = antidrift("status")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "active: write the chapter",
        "done when: a friend can read it",
        "time: 15m left, 25m planned",
        "allowed: class code",
        "window: xterm: ~",
        "drift: not judged",
        "unanswered: drifted to firefox: Funny cats - YouTube (a video site)",
        "answer: antidrift ontask (it belongs) or antidrift refocus (back to it)",
        "so far: on task 8m, drift 1m, unjudged 1m, away 0s",
        "notice: the disk is full",
        "saving: not everything is on disk yet",
    ]


def test_status_says_since_when_a_session_is_paused_and_counts_it_no_further(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    assert PAUSED.evidence
    later = replace(PAUSED.evidence, as_of=TEN_PAST.replace(minute=20), away_secs=600)
    daemon.state = replace(PAUSED, evidence=later)
    _, out, _ = antidrift("status")

    assert "time: 15m left, 25m planned" in out
    assert f"paused since {SINCE}: go on with: antidrift resume" in out
    assert "away 10m" in out
    assert "drift: " not in out


def test_a_start_without_classes_says_how_to_allow_some(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    commitment = ACTIVE.commitment
    assert commitment
    daemon.state = replace(ACTIVE, commitment=replace(commitment, allowed_window_classes=()))
    _, out, _ = antidrift("start")

    assert "allowed: nothing yet; when a window belongs to it: antidrift ontask" in out


def test_times_are_shown_where_the_person_is(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.state = ACTIVE
    _, out, _ = antidrift("start")

    until = NOON.astimezone().replace(minute=25)
    assert f"until {until:%H:%M}" in out
