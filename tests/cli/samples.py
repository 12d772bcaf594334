"""States to show, each with one thing that is special."""

from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from protocol import views

ProfileStatus = Literal["idle", "pending", "ready", "absent", "error"]
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
SENSOR = views.Sensor(name="x11", status="ok")

IDLE = views.State(revision=1, durable=True, runtime="idle", sensor=SENSOR)
PLANNING = replace(IDLE, revision=2, runtime="planning", intent="write the chapter")
PROPOSAL = views.Proposal(
    next_action="write its first page",
    success_condition="a friend has the page",
    timebox_secs=1500,
    allowed_window_classes=("code", "evince"),
)
ASKED = replace(PLANNING, revision=3, coach=views.Coach(status="pending"))
PROPOSED = replace(PLANNING, revision=4, coach=views.Coach(status="ready", proposal=PROPOSAL))
NO_PROPOSAL = replace(PLANNING, revision=4, coach=views.Coach(status="error", error="no login"))
PROFILE = "/home/ann/notes/me.md"
TASKS = (
    views.TaskItem(id="7f", title="write the report", source="taskwarrior"),
    views.TaskItem(id="b2", title="call Ann", source="taskwarrior"),
)
ACTIVE = replace(
    PLANNING,
    revision=3,
    runtime="active",
    commitment=views.Commitment(
        next_action="write the chapter",
        success_condition="a friend can read it",
        timebox_secs=1500,
        started_at=NOON,
        ends_at=NOON + timedelta(minutes=25),
        allowed_window_classes=("code",),
        allowed_window_titles=(),
    ),
    window=views.Window(window_class="code", title="chapter.md", since=NOON),
    drift=views.Drift(status="ontask", since=NOON),
    evidence=views.Evidence(
        as_of=NOON + timedelta(minutes=10),
        ontask_secs=480,
        drift_secs=60,
        unjudged_secs=60,
        away_secs=0,
        switches=3,
        drift_episodes=1,
        by_class=(
            views.ClassEvidence(window_class="code", status="ontask", secs=480),
            views.ClassEvidence(window_class="firefox", status="drift", secs=60),
            views.ClassEvidence(window_class="", status="unjudged", secs=60),
            views.ClassEvidence(window_class="xterm", status="unjudged", secs=0.2),
        ),
    ),
)
VIDEO = views.Subject(window_class="firefox", title="Funny cats - YouTube")
OPEN = views.OpenDrift(subject=VIDEO, reason="a video site", since=NOON)
DRIFTING = replace(
    ACTIVE,
    revision=4,
    window=views.Window(window_class=VIDEO.window_class, title=VIDEO.title, since=NOON),
    drift=views.Drift(
        status="drifting", reason="a video site", subject=VIDEO, since=NOON, open_drift=OPEN
    ),
)
IN_TERMINAL = replace(
    DRIFTING,
    revision=5,
    window=views.Window(window_class="xterm", title="~", since=NOON),
    drift=views.Drift(status="idle", open_drift=OPEN),
)
TEN_PAST = NOON + timedelta(minutes=10)
assert ACTIVE.commitment
PAUSED = replace(
    ACTIVE,
    revision=6,
    commitment=replace(ACTIVE.commitment, paused_at=TEN_PAST),
    away=views.Away(reason="paused", since=TEN_PAST),
)
AWAY = replace(ACTIVE, revision=6, away=views.Away(reason="idle", since=TEN_PAST))
BACK = replace(ACTIVE, revision=7, absence=views.Absence(reason="idle", since=TEN_PAST, secs=720.0))
ADDED = replace(BACK, absence=views.Absence(reason="idle", since=TEN_PAST, secs=720.0, added=True))
RESUMED = replace(BACK, absence=views.Absence(reason="paused", since=TEN_PAST, secs=720.0))
REVIEW = replace(ACTIVE, revision=9, runtime="review", drift=None)


def grounded(status: ProfileStatus, path: str = PROFILE) -> views.State:
    """Return a state of planning in which the profile is in `status`."""
    return replace(PLANNING, knowledge=views.Knowledge(status=status, path=path))


def allowing(
    state: views.State, *, classes: tuple[str, ...] = (), titles: tuple[str, ...] = ()
) -> views.State:
    """Return `state` with more allowed."""
    assert state.commitment
    commitment = replace(
        state.commitment,
        allowed_window_classes=state.commitment.allowed_window_classes + classes,
        allowed_window_titles=state.commitment.allowed_window_titles + titles,
    )
    return replace(state, commitment=commitment)


def condemning(state: views.State, window_class: str, *, page: str = "") -> views.State:
    """Return `state` with one thing more off task."""
    assert state.commitment
    about = views.Subject(window_class=window_class, title=page)
    commitment = replace(state.commitment, off_task=(*state.commitment.off_task, about))
    return replace(state, commitment=commitment)
