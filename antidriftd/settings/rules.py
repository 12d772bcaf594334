"""The settings that decisions depend on, as the core wants them."""

from collections.abc import Iterable
from types import MappingProxyType

from antidriftd.core.drift.page_key import fold
from antidriftd.core.rules import Rules
from antidriftd.runtime.requests import Sources
from antidriftd.settings.loading import Settings


def rules_of(settings: Settings, sources: Sources, title_key: bytes) -> Rules:
    """Return what the core decides by; `sources` say who can be asked."""
    judge, coach = sources.judge, sources.coach
    browsers, terminals = _programs(settings.many_faced), _programs(settings.terminals)
    many_faced = browsers | terminals if settings.drift_cache == "page" else {}
    return Rules(
        dwell_secs=settings.dwell_secs,
        debounce_secs=settings.debounce_secs,
        judgments_per_hour=settings.judgments_per_hour,
        nudge_every_secs=settings.nudge_every_secs,
        has_judge=judge is not None,
        shadow=settings.shadow,
        has_coach=coach is not None,
        coach_name=coach.name if coach else "",
        has_nudger=sources.nudger is not None,
        has_knowledge=sources.knowledge is not None,
        has_tasks=sources.tasks is not None,
        judge_is_free=judge is not None and judge.free,
        many_faced=MappingProxyType(many_faced),
        browsers=frozenset(browsers) - frozenset(terminals),
        terminals=frozenset(terminals),
        neutral=frozenset(_programs(settings.neutral)),
        new_tabs=frozenset(map(fold, settings.new_tabs)),
        notifies=settings.notify_enabled,
        notify_repeat_secs=settings.notify_repeat_secs,
        notify_max_per_hour=settings.notify_max_per_hour,
        quiet_hours=settings.quiet_hours,
        idle_secs=settings.idle_secs,
        history_titles=settings.history_titles,
        title_key=title_key,
        history_exclude=tuple(pattern.casefold() for pattern in settings.history_exclude),
        keeps_evidence=settings.knowledge_enabled,
        hooks=frozenset(settings.hooks),
    )


def _programs(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the window classes in `lines`, each with its program's own names, all folded."""
    programs = {}
    for line in lines:
        window_class, _, names = line.partition(":")
        own = tuple(fold(name) for name in names.split(",") if name.strip())
        programs[fold(window_class)] = own
    return programs
