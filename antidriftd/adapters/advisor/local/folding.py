"""Folds text, so that spellings of a word meet: case, width, diacritics."""

import unicodedata
from functools import lru_cache

# Letters that Unicode does not take apart, as people type them without their marks.
_PLAIN = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "\u0451": "\u0435",
    }
)
# Scripts that write words without a space between them: Thai, Lao, Khmer, Myanmar, Kana, Han. Words
# of Korean have spaces, but with the particles stuck to them they are cut in the same way.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
)
_FIRST_UNSPACED = "\u0e00"
# Marks that are letters to their readers: in Japanese, Thai and Indic scripts.
_FIRST_KEPT_MARK = 0x0900


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return `text` in one case and width, without the diacritics of alphabets."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text).casefold().translate(_PLAIN)
    kept = "".join(
        char for char in parts if not unicodedata.combining(char) or ord(char) >= _FIRST_KEPT_MARK
    )
    return unicodedata.normalize("NFC", kept)


def is_unspaced(text: str) -> bool:
    """Return whether `text` begins with a letter of a script that doesn't space its words."""
    return text[:1] >= _FIRST_UNSPACED and any(
        low <= ord(text[0]) <= high for low, high in _UNSPACED
    )
