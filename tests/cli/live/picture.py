"""What a person sees: a terminal that understands our own control codes, and no others."""

import codecs
import re

from antidrift_cli.visible import clusters, width
from tests.hostile_titles import hidden_in

_TOKEN = re.compile(
    r"\x1b\[(?P<private>\??)(?P<numbers>[\d;]*)(?P<final>[A-Za-z])|(?P<text>[^\x1b]+)"
)
_UNFINISHED = re.compile(r"\x1b(?:\[\??[\d;]*)?$")


class Picture:
    """The screen after all that was written; anything but our own codes fails the test."""

    def __init__(self) -> None:
        self.lines: dict[int, str] = {}
        self.modes: dict[int, bool] = {}
        self.styles: set[int] = set()
        self._line = 1
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._rest = ""

    def rows(self) -> list[str]:
        """Return the rows from the top, without the empty ones at the end."""
        last = max((at for at, line in self.lines.items() if line), default=0)
        return [self.lines.get(at, "").rstrip() for at in range(1, last + 1)]

    def widest(self) -> int:
        """Return how many columns the longest row takes."""
        return max((sum(map(width, clusters(line))) for line in self.lines.values()), default=0)

    def feed(self, data: bytes) -> None:
        """Take what was written."""
        text = self._rest + self._decoder.decode(data)
        unfinished = _UNFINISHED.search(text)
        end = unfinished.start() if unfinished else len(text)
        self._rest = text[end:]
        at = 0
        while at < end:
            token = _TOKEN.match(text, at, end)
            assert token, text[at : at + 20]
            self._obey(token)
            at = token.end()

    def _obey(self, token: re.Match[str]) -> None:
        numbers = [int(each) for each in (token["numbers"] or "").split(";") if each]
        match token["private"], token["final"]:
            case _, None:
                assert not hidden_in(token["text"]), token["text"]
                self.lines[self._line] = self.lines.get(self._line, "") + token["text"]
            case "?", "h" | "l":
                self.modes |= dict.fromkeys(numbers, token["final"] == "h")
            case "", "H":
                self._line = numbers[0] if numbers else 1
            case "", "K":
                self.lines[self._line] = ""
            case "", "J":
                first = 1 if numbers else self._line
                self.lines = {at: line for at, line in self.lines.items() if at < first}
            case "", "m":
                self.styles |= set(numbers)
            case _:
                raise AssertionError(token[0])
