"""A full look at custody, as lines."""

from collections import Counter
from collections.abc import Iterator

from antidrift_cli.knowledge.starting import MARKER_FILE
from antidrift_cli.visible import cut
from protocol.custody import Custody, Node

_COLUMNS = 200


def custody_lines(seen: Custody) -> list[str]:
    """Return what is bound, what of it can be had, and what waits."""
    return list(_lines(seen))


def _lines(seen: Custody) -> Iterator[str]:
    yield f"bindings: {cut(seen.bindings, _COLUMNS)}{f' ({seen.code})' if seen.code else ''}"
    if seen.code == "E_UNBOUND":
        yield "nothing is bound, so nothing is learned; begin with: antidrift knowledge init"
    if seen.owner:
        yield f"owner: {cut(seen.owner, _COLUMNS)}"
        yield f"capture: {_capture(seen)}"
    for node in seen.nodes:
        yield from _node_lines(node)
    if seen.other_bases:
        yield f"bound, and not used: {cut(', '.join(seen.other_bases), _COLUMNS)}"
    if any(node.role == "harvest" and not node.code for node in seen.nodes):
        choose = f"no; have it read with: antidrift knowledge-path node:{seen.harvest}"
        yield f"the coach reads this node: {'yes' if seen.grounds_coach else choose}"
    if seen.pending:
        yield f"pending inputs: {', '.join(each[:8] for each in seen.pending)}"
    counts = Counter(run.state for run in seen.runs)
    if counts:
        runs = ", ".join(f"{count} {state}" for state, count in counts.items())
        yield f"harvests: {runs}; antidrift harvest list shows them"


def _capture(seen: Custody) -> str:
    if seen.capture == "off":
        return 'off: knowledge.toml has capture = "off"; antidrift capture works all the same'
    return f"on, window titles {seen.titles}"


def _node_lines(node: Node) -> Iterator[str]:
    role = "learns into" if node.role == "harvest" else "consults"
    state = node.code or f"{node.size} bytes"
    where = f" at {cut(node.path, _COLUMNS)}" if node.path else ""
    yield f"{role} {node.ref} ({node.kind}){where}: {state}"
    if node.code == "E_NODE":
        yield f"  it isn't there: write its file, or name another in {MARKER_FILE}"
    if node.commit:
        yield f"  accepted: {node.commit[:12]} of {node.date}"
