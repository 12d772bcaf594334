"""The marker of a base: the small file that says which base this is and whose its nodes are."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.refs import is_name

MARKER_FILE = "antidrift-base.toml"
MAX_MARKER_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its file, relative to the base, and its owner's id."""

    file: str
    owner: str


@dataclass(frozen=True, slots=True)
class Marker:
    """What the marker says; nodes are by name."""

    id: str
    nodes: Mapping[str, Node]

    def node(self, name: str) -> Node:
        """Return the node called so.

        Raises:
            CustodyError: `E_NODE`, the base has none.
        """
        found = self.nodes.get(name)
        if found is None:
            raise CustodyError("E_NODE", f"{MARKER_FILE} names no node {name}; add [nodes.{name}]")
        return found


def parse_marker(text: bytes) -> Marker:
    """Return what a marker file says.

    Raises:
        CustodyError: `E_IDENTITY`, it can't be understood, or `E_PATH`, a node leads outside.
    """
    try:
        table = tomllib.loads(text.decode())
    except ValueError as error:
        raise _malformed() from error
    match table:
        case {"version": 1, "id": str(base_id), **rest} if set(rest) <= {"nodes"} and base_id:
            nodes = rest.get("nodes", {})
        case _:
            raise _malformed()
    if not isinstance(nodes, dict):
        raise _malformed()
    return Marker(base_id, {name: _node(name, entry) for name, entry in nodes.items()})


def _node(name: str, entry: object) -> Node:
    match entry:
        case {"file": str(file), "owner": str(owner), **rest} if not rest and owner:
            parts = file.split("/")
            if not is_name(name) or not all(parts) or {".", ".."} & set(parts):
                message = f"node {name} of {MARKER_FILE} must name a file inside of the base"
                raise CustodyError("E_PATH", message)
            return Node(file, owner)
        case _:
            raise _malformed()


def _malformed() -> CustodyError:
    message = f"{MARKER_FILE} needs version = 1, an id, and [nodes.NAME] with file and owner"
    return CustodyError("E_IDENTITY", message)
