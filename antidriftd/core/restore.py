"""What survives a restart, and the state that a new daemon makes of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from antidriftd.core.drift.state import Drift
from antidriftd.core.model import Display, Moment, SensorHealth
from antidriftd.core.notices import PAUSE_TOPIC
from antidriftd.core.notified import Notified
from antidriftd.core.planning.commands import prepare_planning
from antidriftd.core.planning_state import Coaching
from antidriftd.core.presence import REMINDER
from antidriftd.core.recording_state import Recording
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules
from antidriftd.core.state import (
    Active,
    Idle,
    Notice,
    Phase,
    Planning,
    Review,
    Saving,
    Session,
    State,
)
from antidriftd.core.timekeeping import AWAY_LIMIT_SECS, go_stale, keep_time, settled_utc_offset


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What is on disk between two runs; verdicts, nudges and requests under way are not."""

    revision: int
    boot_id: str
    """The kernel's id of the boot in which the boot-clock times were taken."""
    phase: Phase = Idle()
    display: Display | None = None
    recording: Recording = Recording()


_REMINDER = Notice(PAUSE_TOPIC, REMINDER, is_event=False)


def saved_from(state: State, boot_id: str) -> Saved:
    """Return what of `state` is to be kept."""
    phase = state.phase
    match phase:
        case Active(session=session, drift=drift):
            phase = Active(
                _as_shown(session, state.utc_offset),
                Drift(episodes=drift.episodes),
                stale=phase.stale,
                away=phase.pause,  # whether somebody is there is seen anew
                absence=phase.absence,
            )
        case Review(session=session):
            phase = replace(phase, session=_as_shown(session, state.utc_offset))
        case Planning(intent=intent, coaching=Coaching(proposal=proposal)):
            phase = Planning(
                intent, Coaching("ready", proposal=proposal) if proposal else Coaching()
            )
        case _:
            pass
    return Saved(
        revision=state.revision,
        boot_id=boot_id,
        phase=phase,
        display=state.display,
        recording=Recording(
            waiting=state.recording.waiting, next_number=state.recording.next_number
        ),
    )


def _as_shown(session: Session, utc_offset: float) -> Session:
    """Return the session with its clocks as far apart as clients see them.

    No two clocks are read at one instant: by its own reading of them, a restart would show every
    time a little changed.
    """
    as_of = session.evidence.as_of
    as_of = replace(as_of, utc=as_of.boot + utc_offset)
    return replace(session, evidence=replace(session.evidence, as_of=as_of))


def restore(
    saved: Saved | None,
    *,
    rules: Rules,
    sensor: SensorHealth,
    boot_id: str,
    now: Moment,
    notices: Iterable[Notice] = (),
) -> State:
    """Return the state to start with.

    The time that the daemon was down counts as unjudged; after four hours of it, or two hours
    past its end, the session is stale. The revision is above every earlier one, also when the
    snapshot was lost: it starts from the wall clock in microseconds.
    """
    earlier = saved or Saved(revision=0, boot_id=boot_id)
    revision = max(earlier.revision + 1, int(now.utc * 1_000_000))
    same_boot = earlier.boot_id == boot_id
    phase = _resumed(earlier.phase, now, same_boot=same_boot)
    away = phase.away if isinstance(phase, Active) else None
    reminded = away if away is not None and away.reminded else None
    state = State(
        rules=rules,
        revision=revision,
        sensor=sensor,
        utc_offset=_utc_offset(earlier, now, same_boot=same_boot),
        phase=phase,
        display=earlier.display,
        notices=(*notices, *([] if reminded is None else [_REMINDER])),
        saving=Saving(commanded=revision, saved=revision),
        recording=replace(earlier.recording, on_disk=earlier.recording.next_number - 1),
        notified=Notified(
            told_end=_told_end(earlier.phase, phase),
            told_pause=None if reminded is None else reminded.since,
        ),
    )
    state = keep_time(state, now)
    return prepare_planning(state) if isinstance(state.phase, Planning) else state


def _told_end(before: Phase, resumed: Phase) -> float | None:
    """Return the end of the timebox, if the daemon saw it pass when it last ran."""
    if not isinstance(before, Active) or not isinstance(resumed, Active):
        return None
    passed = before.session.evidence.as_of.boot >= before.session.ends
    return resumed.session.ends if passed else None


def _utc_offset(saved: Saved, now: Moment, *, same_boot: bool) -> float:
    """Return the wall clock minus the boot clock: as clients saw it, unless it is another now."""
    offset = now.utc - now.boot
    if not same_boot or not isinstance(saved.phase, Active | Review):
        return offset
    as_of = saved.phase.session.evidence.as_of
    return settled_utc_offset(as_of.utc - as_of.boot, now)


def _resumed(phase: Phase, now: Moment, *, same_boot: bool) -> Phase:
    match phase:
        case Idle() | Planning():
            return phase
        case Review():
            shift = _shift(phase.session, now, same_boot=same_boot)
            session = _shifted(phase.session, shift)
            return replace(phase, session=session, ended=phase.ended + shift)
        case Active():
            return _resumed_session(phase, now, same_boot=same_boot)


def _resumed_session(active: Active, now: Moment, *, same_boot: bool) -> Active:
    shift = _shift(active.session, now, same_boot=same_boot)
    active = replace(
        active,
        session=_shifted(active.session, shift),
        drift=Drift(episodes=active.drift.episodes, since=now.boot),
        away=active.away and replace(active.away, since=active.away.since + shift),
        absence=active.absence and replace(active.absence, since=active.absence.since + shift),
    )
    evidence = active.session.evidence
    if now.boot - evidence.as_of.boot >= AWAY_LIMIT_SECS:
        return go_stale(active, now)
    # Whether the machine slept while nobody was watching can't be told from `mono`, which may
    # belong to another boot: all of the gap is unjudged time of no window.
    mono = now.mono - (now.boot - evidence.as_of.boot)
    as_of = replace(evidence.as_of, mono=mono)
    evidence = replace(evidence, as_of=as_of)
    return replace(active, session=replace(active.session, evidence=evidence))


def _shift(session: Session, now: Moment, *, same_boot: bool) -> float:
    """Return what turns the session's boot-clock times into ones of this boot."""
    if same_boot:
        return 0.0
    as_of = session.evidence.as_of
    gap = max(0.0, now.utc - as_of.utc)
    return now.boot - gap - as_of.boot


def _shifted(session: Session, shift: float) -> Session:
    as_of = session.evidence.as_of
    return replace(
        session,
        started=session.started + shift,
        ends=session.ends + shift,
        evidence=replace(session.evidence, as_of=replace(as_of, boot=as_of.boot + shift)),
        spans=tuple(span._replace(began=span.began + shift) for span in session.spans),
    )
