"""What an answer is about, and what it changes."""

from collections.abc import Callable, Iterable

from antidriftd.core.drift import pipeline
from antidriftd.core.drift.matching import is_allowed
from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.pipeline import Scene
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Drift
from antidriftd.core.model import Allowance, Window
from antidriftd.core.replacing import replace

ANSWER_REACHES_BACK_SECS = 600.0


def subject(
    drift: Drift,
    see: Callable[[Window], Sight],
    scene: Scene,
    *,
    even_allowed: bool = False,
) -> Sight | None:
    """Return what someone who answers now is talking about; None when nothing comes to mind.

    `see` tells what the rules see of a window.

    The open drift; else the question under way; else the last window of the past ten minutes
    that outlasted the dwell and is neither a terminal nor neutral nor, mostly, allowed.
    """
    if drift.open is not None:
        return see(drift.open.window)
    if drift.question is not None:
        return see(drift.question.window)
    for window in _candidates(drift, scene):
        sight = see(window)
        ruled_out = sight.allowed and not even_allowed
        if not (ruled_out or sight.terminal or sight.nothing_to_judge):
            return sight
    return None


def _candidates(drift: Drift, scene: Scene) -> list[Window]:
    oldest = scene.now.mono - ANSWER_REACHES_BACK_SECS
    seen = [entry.window for entry in reversed(drift.recent) if entry.left >= oldest]
    if scene.sight is not None and pipeline.is_settled(drift, scene.rules, scene.now):
        return [scene.sight.window, *seen]
    return seen


def allowance_for(sight: Sight) -> Allowance:
    """Return what `ontask` allows for this window: its page, its class, or a classless title."""
    if sight.key.page:
        return Allowance("title", "=" + sight.key.page)
    if sight.window.window_class.strip():
        return Allowance("class", sight.window.window_class.strip())
    return Allowance("title", sight.window.title.strip())


def drop_covered(drift: Drift, added: tuple[Allowance, ...]) -> Drift:
    """Return the memory without the cached verdicts that new allowances cover."""
    cache = {
        key: verdict
        for key, verdict in drift.cache.items()
        if not any(_covers(entry, key) for entry in added)
    }
    return replace(drift, cache=cache)


def not_covered(
    condemned: tuple[Key, ...], added: tuple[Allowance, ...], known: Iterable[Sight]
) -> tuple[Key, ...]:
    """Return what stays condemned once these are allowed.

    Of `known` windows more than the key counts: somebody who allows what is in front by its
    instance, or by a word that its key leaves out, means it as much as one who names its class.
    """
    meant = {sight.key for sight in known if is_allowed(added, sight.window, sight.key.page)}
    return tuple(
        key
        for key in condemned
        if key not in meant and not any(_covers(entry, key) for entry in added)
    )


def _covers(entry: Allowance, key: Key) -> bool:
    # A key holds no instance and only a normalised title. A verdict that slips through here is
    # harmless: a local match comes before the cache.
    value = entry.value.strip().casefold()
    if entry.kind == "class":
        return key.program == value
    if value.startswith("="):
        return key.page == value[1:]
    return value in (key.page or key.program)


def condemn(drift: Drift, about: Sight, scene: Scene) -> Drift:
    """Return the memory after "this is off task"; the rules have yet to run.

    A question about it is void, no wait holds the verdict back, and its open drift is answered,
    unless it is the one that goes on.
    """
    if drift.question is not None and drift.question.key == about.key:
        drift = pipeline.end_question(drift, scene.now)
    held = {key: until for key, until in drift.held.items() if key != about.key}
    if drift.status == "drifting" and drift.key == about.key:
        return replace(drift, held=held)
    is_open = drift.open is not None and drift.open.key == about.key
    opened = None if is_open else drift.open
    return replace(pipeline.forget(drift, about.key, scene.now), held=held, open=opened)


def refocus(drift: Drift, about: Sight, scene: Scene) -> Drift:
    """Return the memory after "back to it": the drift is settled and its key left alone a while."""
    if drift.question is not None and drift.question.key == about.key:
        drift = pipeline.end_question(drift, scene.now)
    drift = replace(pipeline.forget(drift, about.key, scene.now), open=None)
    return pipeline.hold(drift, about.key, pipeline.REFOCUS_HOLD_SECS, scene.now)
