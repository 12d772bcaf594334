"""What each status bar gets to read."""

import html
import json
from datetime import timedelta

import pytest
from msgspec.structs import replace

from antidrift_cli.bars import FORMATS, due_secs, line
from protocol import views
from protocol.views import State
from tests.cli.samples import (
    ACTIVE,
    AWAY,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    NOON,
    OPEN,
    PAUSED,
    PLANNING,
    REVIEW,
    TEN_PAST,
)

START = NOON.timestamp()
NOW = START + 750
OVER = START + 1500 + 450

SINCE = TEN_PAST.astimezone().strftime("%H:%M")
PAST = replace(
    ACTIVE, drift=views.Drift(status="ontask", open_drift=OPEN, since=NOON + timedelta(seconds=9))
)
PENDING = replace(ACTIVE, drift=views.Drift(status="pending"))
UNJUDGED = replace(ACTIVE, drift=views.Drift(status="idle"))
assert ACTIVE.commitment
STALE = replace(DRIFTING, commitment=replace(ACTIVE.commitment, stale=True))

HOSTILE = '<b>&amp;</b> "x" \\ #[fg=red] #(touch x) \x1b]0;t\x07\n%{F#f00} \u202e \ud800 \x7f é'


def naming(text: str) -> State:
    """Return a drift in which everything that others can choose is `text`."""
    assert ACTIVE.commitment
    subject = views.Subject(window_class=text, title=text)
    return replace(
        DRIFTING,
        intent=text,
        commitment=replace(ACTIVE.commitment, next_action=text, success_condition=text),
        window=views.Window(window_class=text, title=text, since=NOON),
        drift=views.Drift(
            status="drifting",
            reason=text,
            subject=subject,
            open_drift=views.OpenDrift(subject=subject, reason=text, since=NOON),
        ),
    )


def waybar(state: State | None, now: float = NOW) -> dict[str, object]:
    shown = json.loads(line("waybar", state, now))
    assert isinstance(shown, dict)
    return shown


@pytest.mark.parametrize(
    ("state", "now", "text", "kind"),
    [
        (None, NOW, "off", "off"),
        (IDLE, NOW, "", "idle"),
        (PLANNING, NOW, "planning", "planning"),
        (UNJUDGED, NOW, "focus 13m", "pending"),
        (PENDING, NOW, "focus 13m", "pending"),
        (ACTIVE, NOW, "on task 13m", "ontask"),
        (DRIFTING, NOW, "drifting! 13m", "drifting"),
        (IN_TERMINAL, NOW, "drifting! 13m", "drifting"),
        (PAST, NOW, "drifted 13m", "ontask"),
        (STALE, NOW, "stale", "stale"),
        (PAUSED, NOW, "paused", "paused"),
        (replace(PAUSED, drift=DRIFTING.drift), OVER, "paused", "paused"),
        (AWAY, NOW, "away 13m", "away"),
        (AWAY, OVER, "away +7m", "away"),
        (replace(AWAY, drift=DRIFTING.drift), NOW, "drifting! 13m", "drifting"),
        (replace(AWAY, drift=PAST.drift), NOW, "drifted 13m", "away"),
        (ACTIVE, OVER, "on task +7m", "overtime"),
        (DRIFTING, OVER, "drifting! +7m", "drifting"),
        (REVIEW, NOW, "review", "review"),
    ],
)
def test_every_bar_says_what_the_prompt_says_and_waybar_colours_by_its_class(
    state: State | None, now: float, text: str, kind: str
) -> None:
    shown = waybar(state, now)

    assert (shown["text"], shown["class"], shown["alt"]) == (text, kind, kind)
    assert json.loads(line("i3blocks", state, now))["full_text"] == text
    assert json.loads(line("i3status-rust", state, now))["text"] == text
    assert line("tmux", state, now) == text
    assert line("plain", state, now).startswith(text)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (None, "off - antidriftd is not running"),
        (IDLE, ""),
        (PLANNING, "planning - write the chapter"),
        (ACTIVE, "on task 13m - write the chapter"),
        (DRIFTING, "drifting! 13m - write the chapter - drift: a video site"),
        (PAST, "drifted 13m - write the chapter - drift: a video site"),
        (PAUSED, f"paused - write the chapter - paused since {SINCE}"),
        (AWAY, f"away 13m - write the chapter - away since {SINCE} (idle)"),
    ],
)
def test_where_there_is_room_the_task_and_the_drift_are_named(
    state: State | None, text: str
) -> None:
    assert line("plain", state, NOW) == text
    assert str(waybar(state)["tooltip"]).splitlines() == text.split(" - ")[1:]


@pytest.mark.parametrize(
    ("state", "now", "percentage"),
    [
        (None, NOW, 0),
        (IDLE, NOW, 0),
        (ACTIVE, START - 60, 0),
        (ACTIVE, START + 375, 25),
        (ACTIVE, NOW, 50),
        (ACTIVE, OVER, 100),
        (PAUSED, OVER, 40),
        (REVIEW, NOW, 0),
    ],
)
def test_waybar_is_told_how_much_of_the_time_is_gone(
    state: State | None, now: float, percentage: int
) -> None:
    assert waybar(state, now)["percentage"] == percentage


@pytest.mark.parametrize(
    ("state", "level", "is_alarm"),
    [
        (None, "Idle", False),
        (IDLE, "Idle", False),
        (PLANNING, "Idle", False),
        (ACTIVE, "Good", False),
        (PAST, "Good", False),
        (PENDING, "Info", False),
        (DRIFTING, "Critical", True),
        (STALE, "Warning", True),
        (PAUSED, "Idle", False),
        (AWAY, "Idle", False),
        (REVIEW, "Idle", False),
    ],
)
def test_the_i3_bars_are_told_what_is_an_alarm(
    state: State | None, level: str, *, is_alarm: bool
) -> None:
    assert json.loads(line("i3status-rust", state, NOW))["state"] == level
    assert ("color" in json.loads(line("i3blocks", state, NOW))) is is_alarm


@pytest.mark.parametrize(
    ("state", "short"),
    [
        (None, "off"),
        (IDLE, ""),
        (ACTIVE, "13m"),
        (DRIFTING, "13m"),
        (STALE, "stale"),
        (PAUSED, "paused"),
    ],
)
@pytest.mark.parametrize("name", ["i3blocks", "i3status-rust"])
def test_where_room_is_scarce_the_minutes_remain(
    name: str, state: State | None, short: str
) -> None:
    assert json.loads(line(name, state, NOW))["short_text"] == short


@pytest.mark.parametrize("name", FORMATS)
def test_a_line_is_printable_ascii_or_plain_text_whatever_others_wrote(name: str) -> None:
    shown = line(name, naming(HOSTILE), NOW)

    assert shown.isprintable()
    assert shown.isascii() or name == "plain"


def test_only_plain_and_the_tooltip_hold_what_others_wrote() -> None:
    mild = naming("chosen")

    assert [name for name in FORMATS if "chosen" in line(name, mild, NOW)] == ["plain", "waybar"]
    assert "chosen" not in str(waybar(mild) | {"tooltip": ""})


def test_waybar_gets_no_markup_of_others() -> None:
    tooltip = str(waybar(naming(HOSTILE))["tooltip"])

    assert set(tooltip) & set("<>") == set()
    assert html.unescape(tooltip).startswith("<b>&amp;</b>")


def test_long_texts_are_cut() -> None:
    assert len(line("plain", naming("x" * 10_000), NOW)) < 400


@pytest.mark.parametrize(
    "now", [START - 60, START, START + 0.5, NOW, START + 1499.5, OVER, OVER + 29]
)
@pytest.mark.parametrize("state", [ACTIVE, DRIFTING, AWAY])
def test_a_line_is_due_when_its_minute_changes_and_not_before(state: State, now: float) -> None:
    due = due_secs(state, now)

    assert due is not None
    assert 0 < due <= 60
    assert line("tmux", state, now + due - 0.01) == line("tmux", state, now)
    assert line("tmux", state, now + due) != line("tmux", state, now)


@pytest.mark.parametrize("fraction", [0.0, 0.25, 0.5, 0.75])
def test_a_session_of_25_minutes_begins_with_25m(fraction: float) -> None:
    assert ACTIVE.commitment
    ends_at = ACTIVE.commitment.ends_at + timedelta(seconds=fraction)
    state = replace(ACTIVE, commitment=replace(ACTIVE.commitment, ends_at=ends_at))

    assert line("tmux", state, START + fraction + 0.01) == "on task 25m"


@pytest.mark.parametrize("state", [None, IDLE, PLANNING, STALE, PAUSED, REVIEW])
def test_a_line_without_minutes_is_never_due(state: State | None) -> None:
    assert due_secs(state, NOW) is None


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="polybar"):
        line("polybar", IDLE, NOW)
