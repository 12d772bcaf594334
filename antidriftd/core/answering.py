"""The answers to a drift: `ontask`, `offtask`, `disallow` and `refocus`."""

from dataclasses import replace

from antidriftd.core import recording, texts
from antidriftd.core.drift import answers, pipeline
from antidriftd.core.drift.pipeline import Scene
from antidriftd.core.drift.sight import look
from antidriftd.core.drift.state import Drift
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import AllowContext, DisallowContext
from antidriftd.core.focus import scene_of
from antidriftd.core.model import Allowance, Moment
from antidriftd.core.notices import forget_browsers, warn_of_browsers
from antidriftd.core.state import Active, State

MAX_CONDEMNED = 200


def allow_context(state: State, active: Active, command: AllowContext, now: Moment) -> State:
    """Return the state after `ontask`.

    Raises:
        TransitionRefused: nothing is named, and there is nothing to answer.
    """
    scene = scene_of(state, active, now)
    named = _named(command.window_class, command.window_title)
    about = None
    if named:
        added = named
    else:
        about = answers.subject(active.drift, active.session.allowances, scene)
        if about is None:
            message = (
                "there is no drift to answer; name what is on task: "
                "`antidrift ontask --class CLASS` or `--title TEXT`"
            )
            raise TransitionRefused("invalid_value", message)
        added = (answers.allowance_for(about),)
    allowances = texts.merged(active.session.allowances, added)
    drift = answers.drop_covered(active.drift, added)
    drift = _end_what_is_covered(drift, allowances, scene)
    session = replace(
        active.session,
        allowances=allowances,
        condemned=answers.not_covered(active.session.condemned, added),
    )
    changed = replace(state, phase=replace(active, session=session, drift=drift))
    for window in () if about is None else (about.window,):
        changed = recording.answer_given(changed, session, "ontask", window)
    return warn_of_browsers(changed, named)


def condemn_context(state: State, active: Active, now: Moment) -> State:
    """Return the state after `offtask`: it drifts for the rest of the session.

    Raises:
        TransitionRefused: there is nothing that could be meant.
    """
    scene, session = scene_of(state, active, now), active.session
    about = answers.subject(active.drift, session.allowances, scene, even_allowed=True)
    if about is None:
        message = "there is no window to speak of; look at it for a moment, then say it"
        raise TransitionRefused("invalid_value", message)
    condemned = tuple(key for key in session.condemned if key != about.key)
    session = replace(session, condemned=(*condemned, about.key)[-MAX_CONDEMNED:])
    drift = answers.condemn(active.drift, about, scene)
    changed = replace(state, phase=replace(active, session=session, drift=drift))
    return recording.answer_given(changed, session, "offtask", about.window)


def _end_what_is_covered(drift: Drift, allowances: tuple[Allowance, ...], scene: Scene) -> Drift:
    opened, question = drift.open, drift.question
    if opened and look(opened.window, scene.rules, allowances).allowed:
        drift = replace(drift, open=None)
    if question and look(question.window, scene.rules, allowances).allowed:
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
    about = answers.subject(active.drift, active.session.allowances, scene)
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
