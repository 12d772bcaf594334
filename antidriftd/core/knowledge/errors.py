"""What can go wrong with knowledge that somebody named: a code, and a line that helps."""

from typing import Literal

CustodyCode = Literal[
    "E_UNBOUND",
    "E_BINDINGS",
    "E_BASE",
    "E_IDENTITY",
    "E_OWNER",
    "E_NODE",
    "E_PATH",
    "E_ACCESS",
    "E_GIT_CUSTODY",
    "E_REF",
    "E_SECTION",
    "E_TOO_LARGE",
    "E_EXCLUDED",
    "E_JUDGMENT",
    "E_BACKEND",
    "E_INPUT",
    "E_STALE",
    "E_BUSY",
    "E_BRANCH",
    "E_UNCERTAIN",
]


class CustodyError(Exception):
    """Something that was named can't be established.

    The message is one line that says what helps. It crosses the wire, so it holds ids, paths and
    hashes, and never a word of evidence, a profile or an answer.
    """

    def __init__(self, code: CustodyCode, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code: CustodyCode = code
