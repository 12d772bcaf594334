"""Finds the time that a person means to spend in what they intend to do."""

import re

_WORDS = {
    "half an hour": 1800,
    "a quarter of an hour": 900,
    "an hour and a half": 5400,
    "an hour": 3600,
    "one hour": 3600,
    "two hours": 7200,
}
# No "30 minute" and no "30-minute": those say of a thing how long it is.
_HOURS = r"(?:h|hrs?|hours|(?<=1 )hour)"
_MINUTES = r"(?:m|mins?|minutes)"
_NUMBER = r"\d{1,4}(?:[.,]\d{1,2})?"
_DURATION = (
    rf"(?:(?P<words>{'|'.join(_WORDS)})"
    rf"|(?P<hours>{_NUMBER}) ?{_HOURS}"
    rf"(?:(?P<tail>\d\d)|(?: and)? ?(?P<extra>\d{{1,2}}) ?{_MINUTES})?"
    rf"|(?P<minutes>{_NUMBER}) ?{_MINUTES})(?!\w)"
)
_PLACES = (
    re.compile(
        rf"^[\s(\[]*(?:for |about |~ ?)*{_DURATION}(?: of)?[\s:,;.)\]\u2013\u2014-]*", re.IGNORECASE
    ),
    re.compile(rf"\s*\bfor (?:about |~ ?)?{_DURATION}", re.IGNORECASE),
    re.compile(
        rf"(?<!\bof)[\s,;:(\[\u2013\u2014-]+(?:in |within |about |~ ?)*{_DURATION}[\s.!)\]]*$",
        re.IGNORECASE,
    ),
)
_MIN_SECS, _MAX_SECS = 60, 24 * 3600


def find_duration(text: str) -> tuple[int, str] | None:
    """Return how many seconds `text` says to spend, and `text` without the saying of it.

    None if it names no time, or one under a minute or over a day. A time that is said of something
    else ("write the 30 minute talk") is not meant.
    """
    for place in _PLACES:
        if found := place.search(text):
            secs = _secs(found)
            if _MIN_SECS <= secs <= _MAX_SECS:
                rest = f"{text[: found.start()]} {text[found.end() :]}"
                return secs, " ".join(rest.split())
    return None


def _secs(found: re.Match[str]) -> int:
    if words := found["words"]:
        return _WORDS[words.lower()]
    minutes = sum(_number(found[name]) for name in ("tail", "extra", "minutes"))
    return round(_number(found["hours"]) * 3600 + minutes * 60)


def _number(digits: str | None) -> float:
    return float(digits.replace(",", ".")) if digits else 0.0
