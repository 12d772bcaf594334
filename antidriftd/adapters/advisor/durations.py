"""Finds the time that a person means to spend in what they intend to do."""

import re

_WORDS = {
    "half an hour": 1800,
    "a quarter of an hour": 900,
    "an hour and a half": 5400,
    "an hour": 3600,
    "one hour": 3600,
    "two hours": 7200,
    "eine halbe stunde": 1800,
    "halbe stunde": 1800,
    "eine stunde": 3600,
    "anderthalb stunden": 5400,
    "zwei stunden": 7200,
    "une demi-heure": 1800,
    "une heure et demie": 5400,
    "une heure": 3600,
    "deux heures": 7200,
    "media hora": 1800,
    "una hora y media": 5400,
    "una hora": 3600,
    "dos horas": 7200,
    "mezz'ora": 1800,
    "un'ora e mezza": 5400,
    "un'ora": 3600,
    "due ore": 7200,
    "meia hora": 1800,
    "uma hora e meia": 5400,
    "uma hora": 3600,
    "duas horas": 7200,
    "een half uur": 1800,
    "een uur": 3600,
    "anderhalf uur": 5400,
    "p\u00f3\u0142 godziny": 1800,
    "godzin\u0119": 3600,
    "\u043f\u043e\u043b\u0447\u0430\u0441\u0430": 1800,
    "\u043f\u043e\u043b\u0442\u043e\u0440\u0430 \u0447\u0430\u0441\u0430": 5400,
}
# No "30 minute" and no "30-minute": those say of a thing how long it is.
_HOURS = (
    r"(?:h|hrs?|hours|(?<=1 )hour|std|stunden|(?<=1 )stunde|heures|(?<=1 )heure"
    r"|horas|(?<=1 )hora|ore|(?<=1 )ora|uur|godz|godziny|godzin"
    r"|\u0447|\u0447\u0430\u0441\u0430|\u0447\u0430\u0441\u043e\u0432"
    r"|(?<=1 )\u0447\u0430\u0441)"
)
_MINUTES = (
    r"(?:m|mins?|minutes|minuten|minutos|minuti|minut"
    r"|\u043c\u0438\u043d|\u043c\u0438\u043d\u0443\u0442\u044b?)"
)
_FOR = r"(?:for|f\u00fcr|pendant|durant|durante|por|per|voor|przez|lang)"
_WITHIN = r"(?:in|within|about|~|en|dans|w|\u0437\u0430|ca\.|circa|environ|unos|etwa)"
_AND = r"(?: and| und| et| y| e| en| i| \u0438)?"
# Japanese, Chinese and Korean write the unit right behind the number, and particles behind it.
_UNSPACED = re.compile(
    r"(?:(?P<hours>\d{1,2}(?:\.\d)?) ?(?:\u6642\u9593|\u5c0f\u65f6|\u5c0f\u6642|\uc2dc\uac04)"
    r"(?P<half>\u534a)?)?"
    r" ?(?:(?P<minutes>\d{1,4}) ?(?:\u5206\u9418|\u5206\u949f|\u5206\u9593|\u5206|\ubd84))?"
    r"(?:\u9593|\u3067|\u306e|\u5185|\ub3d9\uc548|\uac04)?"
)
_NUMBER = r"\d{1,4}(?:[.,]\d{1,2})?"
_DURATION = (
    rf"(?:(?P<words>{'|'.join(_WORDS)})"
    rf"|(?P<hours>{_NUMBER}) ?{_HOURS}"
    rf"(?:(?P<tail>\d\d)|{_AND} ?(?P<extra>\d{{1,2}}) ?{_MINUTES})?"
    rf"|(?P<minutes>{_NUMBER}) ?{_MINUTES})(?!\w)"
)
_PLACES = (
    re.compile(
        rf"^[\s(\[]*(?:{_FOR} |{_WITHIN} ?)*{_DURATION}(?: of| de| di| an)?"
        r"[\s:,;.)\]\u2013\u2014-]*",
        re.IGNORECASE,
    ),
    re.compile(rf"\s*\b{_FOR} (?:{_WITHIN} ?)?{_DURATION}", re.IGNORECASE),
    re.compile(
        rf"(?<!\bof)[\s,;:(\[\u2013\u2014-]+(?:{_WITHIN} ?)*{_DURATION}(?: lang)?[\s.!)\]]*$",
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
    return _find_unspaced(text)


def _find_unspaced(text: str) -> tuple[int, str] | None:
    for found in _UNSPACED.finditer(text):
        if not found["hours"] and not found["minutes"]:
            continue
        secs = round(_number(found["hours"]) * 3600 + _number(found["minutes"]) * 60)
        secs += 1800 if found["half"] else 0
        at_an_end = not text[: found.start()].strip() or not text[found.end() :].strip()
        if at_an_end and _MIN_SECS <= secs <= _MAX_SECS:
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return secs, " ".join(rest.split()).strip("\u3001\uff0c, ")
    return None


def _secs(found: re.Match[str]) -> int:
    if words := found["words"]:
        return _WORDS[words.lower()]
    minutes = sum(_number(found[name]) for name in ("tail", "extra", "minutes"))
    return round(_number(found["hours"]) * 3600 + minutes * 60)


def _number(digits: str | None) -> float:
    return float(digits.replace(",", ".")) if digits else 0.0
