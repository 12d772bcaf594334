"""Snapshots for tests: one of each phase, and Hypothesis's idea of any."""

from hypothesis import strategies as st

from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.state import Drift
from antidriftd.core.evidence import Bucket, Evidence
from antidriftd.core.ledger import Span
from antidriftd.core.model import Allowance, Commitment, Display, Moment, Proposal
from antidriftd.core.planning_state import Coaching
from antidriftd.core.presence_state import Absence, Away
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Interval,
    Recording,
    SessionReviewed,
    VerdictGiven,
)
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, Idle, Planning, Review, Session, Told

# What a file can hold: any text but half a surrogate pair, and times that have a date.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SECS = st.floats(0, 1e6)
MOMENTS = st.builds(
    Moment, mono=st.floats(0, 1e8), boot=st.floats(0, 1e8), utc=st.floats(1e9, 4.2e9)
)
BUCKETS: list[Bucket] = ["ontask", "drift", "unjudged", "away"]
EVIDENCE = st.builds(
    Evidence,
    as_of=MOMENTS,
    ontask_secs=SECS,
    drift_secs=SECS,
    unjudged_secs=SECS,
    away_secs=SECS,
    switches=st.integers(0, 10**6),
    last_class=st.none() | TEXTS,
    by_class=st.dictionaries(st.tuples(TEXTS, st.sampled_from(BUCKETS)), SECS, max_size=5),
)
SESSIONS = st.builds(
    Session,
    session_id=TEXTS,
    intent=TEXTS,
    commitment=st.builds(Commitment, TEXTS, TEXTS, st.integers(1, 86_400)),
    allowances=st.lists(
        st.builds(Allowance, st.sampled_from(["class", "title"]), TEXTS), max_size=4
    ).map(tuple),
    started=st.floats(0, 1e8),
    ends=st.floats(0, 1e8),
    evidence=EVIDENCE,
    spans=st.lists(
        st.builds(
            Span,
            st.floats(0, 1e8),
            SECS,
            TEXTS,
            TEXTS,
            st.sampled_from(BUCKETS),
            st.integers(0, 10**6),
            st.integers(0, 10**6),
        ),
        max_size=3,
    ).map(tuple),
    condemned=st.lists(st.builds(Key, TEXTS, st.none() | TEXTS), max_size=3).map(tuple),
    told=st.builds(Told, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)),
)
EPISODES = st.integers(0, 10**6)
READY = st.builds(
    Proposal, TEXTS, TEXTS, st.integers(1, 86_400), st.lists(TEXTS, max_size=4).map(tuple)
).map(lambda proposal: Coaching("ready", proposal=proposal))
PHASES = st.one_of(
    st.just(Idle()),
    st.builds(Planning, TEXTS, st.just(Coaching()) | READY),
    st.builds(
        Active,
        SESSIONS,
        drift=st.builds(Drift, episodes=EPISODES),
        stale=st.booleans(),
        away=st.none() | st.builds(Away, st.just("paused"), st.floats(0, 1e8), st.booleans()),
        absence=st.none()
        | st.builds(
            Absence,
            st.sampled_from(["idle", "locked", "asleep", "paused"]),
            st.floats(0, 1e8),
            SECS,
            st.booleans(),
        ),
    ),
    st.builds(Review, SESSIONS, EPISODES, st.floats(0, 1e8), stale=st.booleans()),
)
RECORDS = st.one_of(
    st.builds(SessionReviewed, session_id=TEXTS, outcome=TEXTS, note=TEXTS),
    st.builds(
        Interval,
        session_id=TEXTS,
        number=st.integers(1, 10**6),
        began=st.floats(0, 4e9),
        secs=SECS,
        window_class=TEXTS,
        title=TEXTS,
        bucket=st.sampled_from(BUCKETS),
        switches=st.integers(0, 9),
        drift_episodes=st.integers(0, 9),
    ),
    st.builds(
        VerdictGiven,
        session_id=TEXTS,
        at=st.floats(0, 4e9),
        window_class=TEXTS,
        title=TEXTS,
        on_task=st.none() | st.booleans(),
        reason=TEXTS,
    ),
    st.builds(
        AnswerGiven,
        session_id=TEXTS,
        at=st.floats(0, 4e9),
        kind=st.sampled_from(["ontask", "offtask", "refocus"]),
        window_class=TEXTS,
        title=TEXTS,
        cause=TEXTS,
    ),
)
RECORDING = st.builds(
    Recording,
    waiting=st.lists(st.builds(Entry, st.integers(1, 10**9), RECORDS), max_size=4).map(tuple),
    next_number=st.integers(1, 10**9),
)
SNAPSHOTS = st.builds(
    Saved,
    revision=st.integers(0, 2**62 - 1),
    boot_id=TEXTS,
    phase=PHASES,
    display=st.none() | st.builds(Display, TEXTS, TEXTS, TEXTS),
    recording=RECORDING,
)


def planned(intent: str, revision: int = 1) -> Saved:
    """Return a small snapshot that can be told by its intent."""
    return Saved(revision=revision, boot_id="boot", phase=Planning(intent))


def running() -> Saved:
    """Return a snapshot of a session, with a bit of everything."""
    evidence = Evidence(
        as_of=Moment(mono=900.0, boot=1_000.0, utc=1_800_000_000.25),
        ontask_secs=100.5,
        drift_secs=20.0,
        unjudged_secs=3.25,
        away_secs=1.0,
        switches=4,
        last_class="code",
        by_class={("code", "ontask"): 100.5, ("supertux", "drift"): 20.0},
    )
    session = Session(
        session_id="5f",
        intent="read",
        commitment=Commitment("write the report", "it is sent", 1500),
        allowances=(Allowance("class", "code"), Allowance("title", "=draft é")),
        started=875.25,
        ends=2_375.25,
        evidence=evidence,
    )
    return Saved(
        revision=1_800_000_000_000_000,
        boot_id="boot",
        phase=Active(session, Drift(episodes=2)),
        display=Display(":0", "/home/me/.Xauthority", "x11"),
        recording=Recording(
            waiting=(Entry(7, SessionReviewed(session_id="5e", outcome="done", note="well")),),
            next_number=8,
        ),
    )
