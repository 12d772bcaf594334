"""The State on the wire: what is always there, what is left out, and who may add to it."""

import json
from datetime import UTC, datetime
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import jsonrpc, views

INSTANTS = st.datetimes(timezones=st.just(UTC))
SECS = st.floats(0, 1e9)
TEXTS = st.text(max_size=20)
SUBJECTS = st.builds(views.Subject, window_class=TEXTS, title=TEXTS)
STATES = st.builds(
    views.State,
    revision=st.integers(0, 2**53),
    durable=st.booleans(),
    runtime=st.sampled_from(get_args(views.Runtime)),
    intent=TEXTS,
    commitment=st.none()
    | st.builds(
        views.Commitment,
        next_action=TEXTS,
        success_condition=TEXTS,
        timebox_secs=st.integers(1, 86_400),
        started_at=INSTANTS,
        ends_at=INSTANTS,
        allowed_window_classes=st.lists(TEXTS).map(tuple),
        allowed_window_titles=st.lists(TEXTS).map(tuple),
        stale=st.booleans(),
    ),
    window=st.none()
    | st.builds(views.Window, window_class=TEXTS, instance=TEXTS, title=TEXTS, since=INSTANTS),
    drift=st.none()
    | st.builds(
        views.Drift,
        status=st.sampled_from(get_args(views.DriftStatus)),
        reason=TEXTS,
        subject=st.none() | SUBJECTS,
        since=st.none() | INSTANTS,
        open_drift=st.none()
        | st.builds(views.OpenDrift, subject=SUBJECTS, reason=TEXTS, since=INSTANTS),
    ),
    evidence=st.none()
    | st.builds(
        views.Evidence,
        as_of=INSTANTS,
        ontask_secs=SECS,
        drift_secs=SECS,
        unjudged_secs=SECS,
        away_secs=SECS,
        switches=st.integers(0, 10_000),
        drift_episodes=st.integers(0, 10_000),
        by_class=st.lists(
            st.builds(
                views.ClassEvidence,
                window_class=TEXTS,
                status=st.sampled_from(get_args(views.EvidenceStatus)),
                secs=SECS,
            ),
            max_size=3,
        ).map(tuple),
    ),
    coach=st.none()
    | st.builds(
        views.Coach,
        status=st.sampled_from(["idle", "pending", "ready", "error"]),
        error=TEXTS,
        proposal=st.none()
        | st.builds(
            views.Proposal,
            next_action=TEXTS,
            success_condition=TEXTS,
            timebox_secs=st.integers(1, 86_400),
            allowed_window_classes=st.lists(TEXTS, max_size=3).map(tuple),
        ),
    ),
    knowledge=st.none()
    | st.builds(
        views.Knowledge,
        status=st.sampled_from(["idle", "pending", "ready", "absent", "error"]),
        path=TEXTS,
        chars=st.integers(0, 10_000),
    ),
    tasks=st.none()
    | st.builds(
        views.Tasks,
        status=st.sampled_from(["idle", "pending", "ready", "empty", "error"]),
        error=TEXTS,
        items=st.lists(
            st.builds(views.TaskItem, id=TEXTS, title=TEXTS, source=TEXTS), max_size=3
        ).map(tuple),
    ),
    nudge=st.none() | st.builds(views.Nudge, text=TEXTS, at=INSTANTS),
    sensor=st.builds(
        views.Sensor,
        name=TEXTS,
        status=st.sampled_from(get_args(views.SensorStatus)),
        detail=TEXTS,
    ),
    notices=st.lists(TEXTS, max_size=3).map(tuple),
)

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
SENSOR = views.Sensor(name="none", status="unavailable")


@given(STATES)
def test_a_state_survives_the_wire(state: views.State) -> None:
    line = jsonrpc.encode_notification("state", state)
    incoming = jsonrpc.decode_incoming(line)
    assert isinstance(incoming.params, msgspec.Raw)

    assert msgspec.json.decode(incoming.params, type=views.State) == state


def test_a_state_with_nothing_to_tell_is_short() -> None:
    state = views.State(revision=0, durable=False, runtime="idle", sensor=SENSOR)

    assert json.loads(msgspec.json.encode(state)) == {
        "revision": 0,
        "durable": False,
        "runtime": "idle",
        "sensor": {"name": "none", "status": "unavailable"},
    }


EMPTY_PARTS: dict[str, tuple[views.View, dict[str, object]]] = {
    "commitment": (
        views.Commitment(
            next_action="",
            success_condition="",
            timebox_secs=0,
            started_at=NOON,
            ends_at=NOON,
            allowed_window_classes=(),
            allowed_window_titles=(),
        ),
        {
            "next_action": "",
            "success_condition": "",
            "timebox_secs": 0,
            "started_at": "2026-01-02T12:00:00Z",
            "ends_at": "2026-01-02T12:00:00Z",
            "allowed_window_classes": [],
            "allowed_window_titles": [],
        },
    ),
    "window": (
        views.Window(window_class="", title="", since=NOON),
        {"class": "", "title": "", "since": "2026-01-02T12:00:00Z"},
    ),
    "drift": (views.Drift(status="idle"), {"status": "idle"}),
    "open drift": (
        views.OpenDrift(subject=views.Subject(window_class="", title=""), reason="", since=NOON),
        {"subject": {"class": "", "title": ""}, "reason": "", "since": "2026-01-02T12:00:00Z"},
    ),
    "evidence": (
        views.Evidence(
            as_of=NOON,
            ontask_secs=0,
            drift_secs=0,
            unjudged_secs=0,
            away_secs=0,
            switches=0,
            drift_episodes=0,
            by_class=(),
        ),
        {
            "as_of": "2026-01-02T12:00:00Z",
            "ontask_secs": 0,
            "drift_secs": 0,
            "unjudged_secs": 0,
            "away_secs": 0,
            "switches": 0,
            "drift_episodes": 0,
            "by_class": [],
        },
    ),
    "coach": (views.Coach(status="idle"), {"status": "idle"}),
    "proposal": (
        views.Proposal(
            next_action="", success_condition="", timebox_secs=0, allowed_window_classes=()
        ),
        {
            "next_action": "",
            "success_condition": "",
            "timebox_secs": 0,
            "allowed_window_classes": [],
        },
    ),
    "knowledge": (views.Knowledge(status="absent"), {"status": "absent"}),
    "tasks": (views.Tasks(status="empty"), {"status": "empty"}),
    "task": (
        views.TaskItem(id="", title="", source=""),
        {"id": "", "title": "", "source": ""},
    ),
    "nudge": (
        views.Nudge(text="", at=NOON),
        {"text": "", "at": "2026-01-02T12:00:00Z"},
    ),
    "why": (views.Why(rule="none"), {"rule": "none"}),
}


@pytest.mark.parametrize(("part", "sent"), EMPTY_PARTS.values(), ids=EMPTY_PARTS.keys())
def test_required_members_are_sent_even_when_they_are_empty(
    part: views.View, sent: dict[str, object]
) -> None:
    assert json.loads(msgspec.json.encode(part)) == sent


def test_an_open_drift_is_called_open_on_the_wire() -> None:
    subject = views.Subject(window_class="a", title="b")
    drift = views.Drift(
        status="idle", open_drift=views.OpenDrift(subject=subject, reason="c", since=NOON)
    )

    assert json.loads(msgspec.json.encode(drift))["open"]["subject"] == {"class": "a", "title": "b"}


@given(STATES)
def test_a_reader_ignores_what_a_newer_daemon_adds(state: views.State) -> None:
    def with_more(value: object) -> object:
        match value:
            case dict():
                return {"mood": [1], **{name: with_more(each) for name, each in value.items()}}
            case list() | tuple():
                return [with_more(each) for each in value]
            case _:
                return value

    sent = msgspec.json.encode(with_more(msgspec.to_builtins(state)))

    assert msgspec.json.decode(sent, type=views.State) == state


def test_info_names_the_version_and_the_files() -> None:
    info = views.Info(
        version="0.1.0",
        protocol=1,
        pid=7,
        socket="/run/s",
        state_dir="/state",
        sensor="auto",
        ai="local",
        started_at=NOON,
    )

    assert msgspec.json.decode(msgspec.json.encode(info), type=views.Info) == info
