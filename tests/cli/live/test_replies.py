"""What a key has done, in a line."""

import pytest
from msgspec.structs import replace

from antidrift_cli.live.replies import done_line
from protocol import views
from tests.cli.samples import ACTIVE, DRIFTING, IDLE, IN_TERMINAL, allowing


def test_an_allowance_is_named_with_what_undoes_it() -> None:
    line = done_line("ontask", DRIFTING, allowing(DRIFTING, classes=("firefox",)))

    assert line == "on task: class firefox is allowed; undo: antidrift disallow"
    assert "already" in done_line("ontask", ACTIVE, ACTIVE)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (DRIFTING, "the drift is cleared"),
        (IN_TERMINAL, "the drift is cleared"),
        (replace(ACTIVE, drift=views.Drift(status="pending")), "the drift is cleared"),
        (ACTIVE, "nothing to clear"),
        (IDLE, "nothing to clear"),
    ],
)
def test_refocus_says_whether_there_was_a_drift(before: views.State, expected: str) -> None:
    assert done_line("refocus", before, ACTIVE) == expected


def test_more_time_says_until_when() -> None:
    assert done_line("extend", ACTIVE, ACTIVE).startswith("extended by 5m, until ")


def test_an_end_says_so() -> None:
    assert done_line("complete", ACTIVE, ACTIVE) == "the session is over"
