"""Finds known phrases in a text: names of sites, words of a topic, in any script."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from antidriftd.adapters.advisor.local.folding import fold, is_unspaced
from antidriftd.adapters.advisor.local.words import unspaced_runs

_T = TypeVar("_T")
_TOKEN = re.compile(r"[^\W_]+(?:[&'\u2019.][^\W_]+)*[+!]?")
_LONGEST = 5
_FEW_DOTS = 2
_LONGEST_RUN = 12


@lru_cache(maxsize=512)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the folded words of `text` as names are spelt: "disney+", "h&m", "amazon.com"."""
    return tuple(_TOKEN.findall(fold(text)))


class Phrases(Generic[_T]):
    """What phrases mean; a later meaning of a phrase replaces an earlier one."""

    def __init__(self) -> None:
        self._spaced: dict[tuple[str, ...], _T] = {}
        self._unspaced: dict[str, _T] = {}

    def add(self, phrase: str, meaning: _T) -> None:
        """Let `phrase` mean something."""
        tokens = tokens_of(phrase)
        if tokens and is_unspaced(tokens[0]):
            self._unspaced["".join(tokens)] = meaning
        elif tokens:
            self._spaced[tokens] = meaning

    def get(self, phrase: str) -> _T | None:
        """Return what the whole of `phrase` means."""
        tokens = tokens_of(phrase)
        return self._spaced.get(tokens) or self._unspaced.get("".join(tokens))

    def discard(self, phrase: str) -> None:
        """Let `phrase` mean nothing."""
        tokens = tokens_of(phrase)
        self._spaced.pop(tokens, None)
        self._unspaced.pop("".join(tokens), None)

    def found_in(self, text: str) -> Iterator[tuple[str, _T]]:
        """Yield the phrases in `text` with their meanings, the longest one at each place."""
        tokens = tokens_of(text.replace(".", " ") if text.count(".") > _FEW_DOTS else text)
        at = 0
        while at < len(tokens):
            sizes = range(min(_LONGEST, len(tokens) - at), 0, -1)
            size = next((n for n in sizes if tokens[at : at + n] in self._spaced), 0)
            if size:
                yield " ".join(tokens[at : at + size]), self._spaced[tokens[at : at + size]]
            at += size or 1
        if self._unspaced:
            for run in unspaced_runs(text):
                yield from self._found_in_run(run)

    def _found_in_run(self, run: str) -> Iterator[tuple[str, _T]]:
        at = 0
        while at < len(run):
            ends = range(min(len(run), at + _LONGEST_RUN), at, -1)
            end = next((end for end in ends if run[at:end] in self._unspaced), 0)
            if end:
                yield run[at:end], self._unspaced[run[at:end]]
            at = end or at + 1
