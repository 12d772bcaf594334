"""Simple judges to compare with: what a list of sites does, with and without the plan's words."""

import re
from collections.abc import Iterator

from antidriftd.evaluation.cases import Case
from antidriftd.evaluation.measures import Judged

_NAMES = (
    "youtube netflix twitch tiktok disney+ hulu crunchyroll prime video|reddit facebook instagram "
    "twitter hacker news 9gag tumblr pinterest imgur mastodon|whatsapp messenger discord telegram "
    "snapchat|amazon ebay aliexpress zalando etsy temu|steam minecraft lichess chess.com roblox "
    "stardew|espn bbc news cnn spiegel marca buzzfeed onlyfans"
)
_TWO_WORDS = ("prime video", "hacker news", "bbc news")
_WORD = re.compile(r"[^\W\d_]{4,}")


def distractions() -> frozenset[str]:
    """Return the 40 names of the list."""
    text = _NAMES.replace("|", " ")
    for name in _TWO_WORDS:
        text = text.replace(name, name.replace(" ", "_"))
    return frozenset(name.replace("_", " ") for name in text.split())


def baselines(cases: list[Case]) -> Iterator[tuple[str, list[Judged]]]:
    """Yield each simple judge's name with what it says of the cases."""
    listed = [_is_listed(case) for case in cases]
    apart = [not _has_word_in_common(case) for case in cases]
    both = [one and other for one, other in zip(listed, apart, strict=True)]
    yield "always on task", [_judged(case, is_drift=False, score=0.0) for case in cases]
    yield (
        "40-entry list",
        [_judged(c, is_drift=d, score=d) for c, d in zip(cases, listed, strict=True)],
    )
    yield (
        "list and no word in common",
        [
            _judged(case, is_drift=drift, score=drift + 0.5 * alone)
            for case, drift, alone in zip(cases, both, apart, strict=True)
        ],
    )


def _judged(case: Case, *, is_drift: bool, score: float) -> Judged:
    verdict = "drift" if is_drift else "on_task"
    return Judged(case.id, case.label, verdict, float(score), "", case.kind, case.lang)


def _is_listed(case: Case) -> bool:
    text = f"{case.window.title} {case.window.window_class}".casefold()
    return any(name in text for name in distractions())


def _has_word_in_common(case: Case) -> bool:
    plan = f"{case.commitment.next_action} {case.commitment.success_condition}"
    return bool(_words(plan) & _words(case.window.title))


def _words(text: str) -> set[str]:
    return {word.casefold().removesuffix("s") for word in _WORD.findall(text)}
