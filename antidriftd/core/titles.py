"""What of a window goes into the history: titles are private unless the person says otherwise."""

import hashlib
import hmac
from fnmatch import fnmatchcase
from functools import lru_cache

from antidriftd.core.drift.page_key import key_of
from antidriftd.core.model import Window
from antidriftd.core.rules import Rules

HASH_CHARS = 32
"""How many hexadecimal digits stand for a title."""


def kept_class(window: Window, rules: Rules) -> str:
    """Return the class that is kept, in history and snapshot; empty for one that is excluded."""
    return "" if _is_excluded(window, rules.history_exclude) else window.window_class


def kept_title(window: Window, rules: Rules) -> str:
    """Return the title that is kept: none, a keyed hash, or the title itself.

    A hash tells that two pages were the same one, and nothing else without the key.
    """
    if rules.history_titles == "off" or _is_excluded(window, rules.history_exclude):
        return ""
    return window.title if rules.history_titles == "on" else _hashed(window.title, rules.title_key)


def kept_page(window: Window, rules: Rules) -> str:
    """Return what tells this page of a many-faced program from others: a hash, or its title.

    It is kept even where titles aren't: without it, an answer about one page would be remembered
    of all.
    """
    page = key_of(window, rules).page
    if not page or _is_excluded(window, rules.history_exclude):
        return ""
    return page if rules.history_titles == "on" else _hashed(page, rules.title_key)


def are_kept(window: Window, rules: Rules) -> bool:
    """Return whether the history may quote this window."""
    return rules.history_titles == "on" and not _is_excluded(window, rules.history_exclude)


@lru_cache(maxsize=1024)
def _hashed(title: str, key: bytes) -> str:
    digest = hmac.new(key, title.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()
    return digest[:HASH_CHARS]


def _is_excluded(window: Window, patterns: tuple[str, ...]) -> bool:
    return bool(patterns) and _matches(window, patterns)


@lru_cache(maxsize=1024)
def _matches(window: Window, patterns: tuple[str, ...]) -> bool:
    texts = (window.window_class.casefold(), window.title.casefold())
    return any(fnmatchcase(text, pattern) for text in texts for pattern in patterns)
