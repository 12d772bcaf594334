"""References to nodes as people write them: `BASE/NODE`, in a path `node:BASE/NODE`."""

import re
from typing import NamedTuple

from antidriftd.core.knowledge.errors import CustodyError

NODE_PREFIX = "node:"
_NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_REF = re.compile(f"({_NAME})/({_NAME})")


class Ref(NamedTuple):
    """A node of a base, both by name."""

    base: str
    node: str

    def __str__(self) -> str:
        return f"{self.base}/{self.node}"


def is_name(text: str) -> bool:
    """Return whether a base or a node may be called so."""
    return re.fullmatch(_NAME, text) is not None


def parse_ref(text: str) -> Ref:
    """Return the reference that `text` is, with or without `node:`.

    Raises:
        CustodyError: `E_NODE`, it is none.
    """
    match = _REF.fullmatch(text.removeprefix(NODE_PREFIX))
    if match is None:
        message = "a node is named BASE/NODE, with letters, digits, `-` and `_`"
        raise CustodyError("E_NODE", message)
    return Ref(match[1], match[2])
