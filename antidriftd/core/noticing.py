"""What of a session is evidence: steps that follow from what happens, with no judgment of worth."""

from collections.abc import Iterable

from antidriftd.core import titles
from antidriftd.core.drift.state import Drift
from antidriftd.core.events import AllowContext, CompleteSession, Event, StartSession
from antidriftd.core.knowledge.steps import (
    EvidenceStep,
    Noticed,
    SessionBegan,
    SessionNoticed,
    SessionOver,
    SessionReflected,
)
from antidriftd.core.model import Window
from antidriftd.core.recording_state import (
    AnswerGiven,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)
from antidriftd.core.state import Active, Review, State

_LARGEST_CLASSES = 12
_SHORTEST_SECS = 60.0


def changes(before: State, after: State, event: Event) -> tuple[EvidenceStep, ...]:
    """Return what the difference of two states adds to the evidence; nothing where none is kept."""
    if not after.rules.keeps_evidence:
        return ()
    steps: list[EvidenceStep] = list(_reflected(before, after))
    if isinstance(event, StartSession) and isinstance(after.phase, Active):
        session = after.phase.session
        label, at = session.commitment.next_action, session.started + after.utc_offset
        steps.append(SessionBegan(session_id=session.session_id, label=label, at=at))
    if not isinstance(before.phase, Active):
        return tuple(steps)
    session_id, found = before.phase.session.session_id, _noticed(before, after, event)
    if isinstance(event, CompleteSession) and isinstance(after.phase, Review):
        end = after.phase.ended + after.utc_offset
        summed = (*found, *_totals(after, after.phase))
        steps.append(SessionOver(session_id=session_id, found=summed, at=end))
    elif found:
        steps.append(SessionNoticed(session_id=session_id, found=found))
    return tuple(steps)


def _new_records(before: State, after: State) -> Iterable[Record]:
    added = after.recording.next_number - before.recording.next_number
    newest = after.recording.waiting[-added:] if added else ()
    return [entry.record for entry in newest]


def _noticed(before: State, after: State, event: Event) -> tuple[Noticed, ...]:
    found = [each for record in _new_records(before, after) for each in _of_record(before, record)]
    if isinstance(event, AllowContext) and event.window_class and isinstance(after.phase, Active):
        at = after.phase.session.evidence.as_of.boot + after.utc_offset
        found.append(_override(at, event.window_class, ""))
    return tuple(found)


def _of_record(before: State, record: Record) -> Iterable[Noticed]:
    """Yield what a record of the history tells; a window without a class leaves no trace."""
    match record:
        case AnswerGiven(kind="ontask", at=at, window_class=name) if name:
            yield _override(at, name, _title(before, name))
        case AnswerGiven(kind="refocus", at=at, window_class=name, cause=cause) if name:
            led = f"; it began with: {cause}" if cause else ""
            yield Noticed(
                at=at,
                kind="refocus",
                claim=f"{name} led away, and the person came back{led}",
                certainty="stated",
                window_class=name,
                title=_title(before, name),
            )
        case VerdictGiven(on_task=False, at=at, window_class=name) if name:
            yield Noticed(
                at=at,
                kind="verdict",
                claim=f"the drift judge held {name} to be off task",
                certainty="inferred",
                window_class=name,
                title=_title(before, name),
            )
        case _:
            pass


def _override(at: float, window_class: str, title: str) -> Noticed:
    return Noticed(
        at=at,
        kind="override",
        claim=f"{window_class} was on task",
        certainty="stated",
        window_class=window_class,
        title=title,
    )


def _title(before: State, window_class: str) -> str:
    """Return the title of the window of that class that was spoken of, if one may be quoted."""
    if not isinstance(before.phase, Active):
        return ""
    for window in _spoken_of(before.phase.drift, before.window):
        if window.window_class == window_class:
            return window.title if titles.kept_class(window, before.rules) else ""
    return ""


def _spoken_of(drift: Drift, front: Window | None) -> Iterable[Window]:
    if drift.open is not None:
        yield drift.open.window
    if drift.question is not None:
        yield drift.question.window
    if drift.last is not None:
        yield drift.last.window
    if front is not None:
        yield front


def _totals(after: State, review: Review) -> Iterable[Noticed]:
    session, at = review.session, review.ended + after.utc_offset
    evidence = session.evidence
    largest = sorted(evidence.by_class.items(), key=lambda item: -item[1])[:_LARGEST_CLASSES]
    patterns = after.rules.history_exclude
    for (name, bucket), secs in largest:
        kept = titles.kept_class(Window(name, ""), after.rules) if patterns else name
        if kept and secs >= _SHORTEST_SECS and bucket != "away":
            claim = f"{name}: {round(secs / 60)} min {_BUCKETS.get(bucket, bucket)}"
            yield Noticed(
                at=at,
                kind="usage",
                claim=claim,
                certainty="observed",
                window_class=name,
                secs=round(secs),
            )
    planned, took = session.commitment.timebox_secs, review.ended - session.started
    claim = (
        f"planned {round(planned / 60)} min, took {round(took / 60)}, "
        f"{round(evidence.drift_secs / 60)} of them off task in {review.episodes} drifts"
    )
    yield Noticed(at=at, kind="outcome", claim=claim, certainty="observed", secs=round(took))


_BUCKETS = {"ontask": "on task", "drift": "off task", "unjudged": "not judged"}


def _reflected(before: State, after: State) -> Iterable[SessionReflected]:
    for record in _new_records(before, after):
        match record:
            case SessionReviewed(session_id=session_id, outcome=outcome, note=note):
                words = ": ".join(word for word in (outcome, note) if word)
                if words and isinstance(before.phase, Review):
                    at = before.phase.session.evidence.as_of.boot + after.utc_offset
                    claim = f"the person said of the session: {words}"
                    said = Noticed(at=at, kind="outcome", claim=claim, certainty="stated")
                    yield SessionReflected(session_id=session_id, found=(said,), at=at)
            case SessionEnded() | _:
                pass
