"""The answers to a drift: `ontask`, `offtask`, `disallow` and `refocus`."""

from collections.abc import Callable
from functools import partial

from antidriftd.core import recording, texts
from antidriftd.core.drift import answers, pipeline
from antidriftd.core.drift.pipeline import Scene
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Drift
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import AllowContext, DisallowContext
from antidriftd.core.focus import scene_of, sight_of
from antidriftd.core.model import Allowance, Moment, Window
from antidriftd.core.notices import forget_browsers, warn_of_browsers
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, Session, State

MAX_CONDEMNED = 200


def allow_context(state: State, active: Active, command: AllowContext, now: Moment) -> State:
    """Return the state after `ontask`.

    Raises:
        TransitionRefused: nothing is named, and there is nothing to answer.
    """
    scene, see = scene_of(state, active, now), _seeing(state, active.session)
    named = _named(command.window_class, command.window_title)
    about = None
    if named:
        added = named
    else:
        about = answers.subject(active.drift, see, scene)
        if about is None:
            message = (
                "there is no drift to answer; name what is on task: "
                "`antidrift ontask --class CLASS` or `--title TEXT`"
            )
            raise TransitionRefused("invalid_value", message)
        added = (answers.allowance_for(about),)
    known = _at_hand(active.drift, see, scene)
    session = replace(
        active.session,
        allowances=texts.merged(active.session.allowances, added),
        condemned=answers.not_covered(active.session.condemned, added, known),
    )
    drift = answers.drop_covered(active.drift, added)
    drift = _end_what_is_covered(drift, _seeing(state, session), scene)
    changed = replace(state, phase=replace(active, session=session, drift=drift))
    if about is not None:
        changed = recording.answer_given(changed, session, "ontask", about.window)
    return warn_of_browsers(changed, named)


def condemn_context(state: State, active: Active, now: Moment) -> State:
    """Return the state after `offtask`: it drifts for the rest of the session.

    Raises:
        TransitionRefused: there is nothing that could be meant.
    """
    scene, session = scene_of(state, active, now), active.session
    about = answers.subject(active.drift, _seeing(state, session), scene, even_allowed=True)
    if about is None:
        message = "there is no window to speak of; look at it for a moment, then say it"
        raise TransitionRefused("invalid_value", message)
    condemned = tuple(key for key in session.condemned if key != about.key)
    session = replace(session, condemned=(*condemned, about.key)[-MAX_CONDEMNED:])
    drift = answers.condemn(active.drift, about, scene)
    changed = replace(state, phase=replace(active, session=session, drift=drift))
    return recording.answer_given(changed, session, "offtask", about.window)


def _seeing(state: State, session: Session) -> Callable[[Window], Sight]:
    return partial(sight_of, session, state.rules)


def _at_hand(drift: Drift, see: Callable[[Window], Sight], scene: Scene) -> list[Sight]:
    """Return what can be meant by somebody who names what is on task."""
    asked = [entry.window for entry in (drift.open, drift.question) if entry is not None]
    front = [] if scene.sight is None else [scene.sight]
    return [*map(see, asked), *front]


def _end_what_is_covered(drift: Drift, see: Callable[[Window], Sight], scene: Scene) -> Drift:
    if drift.open and see(drift.open.window).allowed:
        drift = replace(drift, open=None)
    if drift.question and see(drift.question.window).allowed:
        drift = pipeline.end_question(drift, scene.now)
    return drift


def disallow_context(state: State, active: Active, command: DisallowContext) -> State:
    """Return the state after `disallow`.

    Raises:
        TransitionRefused: what is named, or anything at all, isn't in the allowed context.
    """
    allowances = active.session.allowances
    if not allowances:
        message = "nothing is allowed, so there is nothing to take back"
        raise TransitionRefused("invalid_value", message)
    named = _named(command.window_class, command.window_title)
    gone = {_identity(entry) for entry in named or allowances[-1:]}
    kept = tuple(entry for entry in allowances if _identity(entry) not in gone)
    if len(allowances) - len(kept) < len(gone):
        message = "that isn't in the allowed context; `antidrift status` lists what is"
        raise TransitionRefused("invalid_value", message)
    state = forget_browsers(state, (entry for entry in allowances if entry not in kept))
    session = replace(active.session, allowances=kept)
    return replace(state, phase=replace(active, session=session))


def refocus(state: State, active: Active, because: str, now: Moment) -> State:
    """Return the state after `refocus`; with nothing to answer it stays as it is.

    Raises:
        TransitionRefused: the cause is too long, or holds control characters.
    """
    because = texts.checked_optional_text("the cause", because)
    scene = scene_of(state, active, now)
    about = answers.subject(active.drift, _seeing(state, active.session), scene)
    if about is None:
        return state
    state = recording.answer_given(state, active.session, "refocus", about.window, because)
    return replace(state, phase=replace(active, drift=answers.refocus(active.drift, about, scene)))


def _named(window_class: str | None, window_title: str | None) -> tuple[Allowance, ...]:
    classes = () if window_class is None else (window_class,)
    titles = () if window_title is None else (window_title,)
    return texts.checked_allowances("class", classes) + texts.checked_allowances("title", titles)


def _identity(entry: Allowance) -> tuple[str, str]:
    return entry.kind, entry.value.casefold()
