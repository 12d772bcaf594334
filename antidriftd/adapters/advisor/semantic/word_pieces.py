"""Cuts a text into the word pieces that the sentence model knows: BERT's WordPiece, uncased.

As described with the model (google-research/bert, tokenization.py): words are folded, cut at white
space and punctuation, and each is covered by the longest pieces from the left.
"""

import unicodedata
from collections.abc import Iterator
from pathlib import Path

VOCABULARY = Path(__file__).parents[3] / "data" / "semantic" / "vocabulary.txt"
MAX_PIECES = 96
"""Longer texts are cut; a title of 1,024 characters says nothing new at its end."""

_MOST_PIECES_A_WORD = 2
_LEAST_SHARE_OF_ASCII = 0.9
_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_INSIDE = "##"
_MAX_WORD_CHARS = 100
_IDEOGRAPHS = (
    *(("\u4e00", "\u9fff"), ("\u3400", "\u4dbf"), ("\uf900", "\ufaff")),
    *(("\U00020000", "\U0002a6df"), ("\U0002a700", "\U0002ceaf"), ("\U0002f800", "\U0002fa1f")),
)
"""Each is a word of its own."""


class WordPieces:
    """The vocabulary: a piece a line, whose number is the line's, from 0."""

    def __init__(self, vocabulary: Path) -> None:
        pieces = vocabulary.read_text(encoding="utf-8").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(pieces)}

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the pieces of `text`, between the marks of begin and end."""
        pieces = [piece for word in _words(text) for piece in self._pieces(word)]
        marked = [_BEGIN, *pieces[: MAX_PIECES - 2], _END]
        return [self._numbers[piece] for piece in marked]

    def knows(self, text: str) -> bool:
        """Return whether the model, which learnt English, is likely to understand `text`.

        Words of other languages fall to pieces; those of other scripts have letters that it never
        learnt to read.
        """
        letters = [character for character in text if character.isalpha()]
        if sum(map(str.isascii, letters)) < _LEAST_SHARE_OF_ASCII * len(letters):
            return False
        words = [word for word in _words(text) if word.isalpha()]
        return sum(len(self._pieces(word)) for word in words) <= _MOST_PIECES_A_WORD * len(words)

    def _pieces(self, word: str) -> list[str]:
        if len(word) > _MAX_WORD_CHARS:
            return [_UNKNOWN]
        pieces: list[str] = []
        at = 0
        while at < len(word):
            prefix = _INSIDE if at else ""
            ends = range(len(word), at, -1)
            end = next((end for end in ends if prefix + word[at:end] in self._numbers), None)
            if end is None:
                return [_UNKNOWN]
            pieces.append(prefix + word[at:end])
            at = end
        return pieces


def _words(text: str) -> list[str]:
    spaced = "".join(_spaced(_clean(text)))
    bare = (c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if _is_punctuation(c) else c for c in "".join(bare).lower()).split()


def _clean(text: str) -> Iterator[str]:
    for character in text:
        if character.isspace():
            yield " "
        elif character != "\ufffd" and unicodedata.category(character)[0] != "C":
            yield character


def _spaced(characters: Iterator[str]) -> Iterator[str]:
    for character in characters:
        yield f" {character} " if _is_ideograph(character) else character


def _is_ideograph(character: str) -> bool:
    return not character.isascii() and any(low <= character <= high for low, high in _IDEOGRAPHS)


def _is_punctuation(character: str) -> bool:
    is_ascii_sign = character.isascii() and not character.isalnum() and not character.isspace()
    return is_ascii_sign or unicodedata.category(character)[0] == "P"
