"""How learning stands: counts for the state, and a full look at bindings, bases and runs."""

import posixpath
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from antidriftd.adapters.custody.port import Reading
from antidriftd.core.custody_state import CustodyStatus
from antidriftd.core.knowledge.bindings import (
    Binding,
    Bindings,
    CommandBinding,
    DirectoryBinding,
    GitBinding,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.proposing import content_hash
from antidriftd.core.knowledge.refs import NODE_PREFIX, Ref, parse_ref
from antidriftd.core.knowledge.runs import Run
from antidriftd.runtime.learning.capturing import Capture
from antidriftd.runtime.learning.claiming import unclaimed
from antidriftd.runtime.learning.parts import Parts, in_thread

_WAITING = {"judging", "held", "failed", "stale", "uncertain", "claimed", "publishing"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSeen:
    """One node as it was found, or the code of what is wrong with it."""

    ref: str
    kind: str
    role: Literal["harvest", "reads", "none"]
    code: str = ""
    path: str = ""
    size: int = 0
    digest: str = ""
    commit: str = ""
    date: str = ""
    print: tuple[str, ...] = ()
    """The command that prints it, where it is no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the profile in force lies."""

    profile: str
    bindings: str
    data_dir: str
    node: NodeSeen
    """Empty unless the profile is a node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """All that `knowledge status` shows; ids, codes, sizes, hashes and paths."""

    bindings: str
    data_dir: str
    code: str
    owner: str
    harvest: str
    capture: str
    titles: str
    nodes: tuple[NodeSeen, ...]
    other_bases: tuple[str, ...]
    """Bases that are bound and that nothing names."""
    runs: tuple[Run, ...]
    pending: tuple[str, ...]
    grounds_coach: bool
    """Whether the profile in force is the node that is learned into."""


async def status(parts: Parts, capture: Capture, thinking: Collection[str]) -> CustodyStatus:
    """Return the counts; `thinking` are the runs that are being judged right now.

    Where there are no bindings and no evidence, nothing is there to show.
    """
    try:
        bindings = await parts.bases.bindings()
        code = capture.blocked
    except CustodyError as error:
        bindings, code = None, error.code
    if bindings is None and not code and not parts.evidence.exists():
        return CustodyStatus()
    runs = tuple((await in_thread(parts.evidence.runs.read_all)).values())
    inputs = await in_thread(parts.evidence.inputs.names)
    is_on = bindings is not None and bindings.capture == "on"
    return CustodyStatus(
        bound=True,
        capture="blocked" if code else "on" if is_on else "off",
        code=code,
        pending=len(unclaimed(inputs, runs)),
        judging=len(thinking),
        proposed=sum(run.state == "proposed" for run in runs),
        held=sum(run.state in _WAITING and run.run not in thinking for run in runs),
    )


async def look(parts: Parts, data_dir: str, profile: str, profile_is_default: str) -> Looked:
    """Return a full look; `profile` is the one in force, or empty for `profile_is_default`."""
    bindings, code = None, ""
    try:
        bindings = await parts.bases.bindings()
    except CustodyError as error:
        code = error.code
    runs = await in_thread(parts.evidence.runs.read_all)
    inputs = await in_thread(parts.evidence.inputs.read_all)
    nodes = await _nodes(parts, bindings) if bindings else ()
    named = {each.ref.partition("/")[0] for each in nodes}
    others = tuple(name for name in bindings.bases if name not in named) if bindings else ()
    return Looked(
        bindings=parts.bases.path,
        data_dir=data_dir,
        code=code or ("" if bindings else "E_UNBOUND"),
        owner=bindings.owner if bindings else "",
        harvest=str(bindings.harvest) if bindings else "",
        capture=bindings.capture if bindings else "off",
        titles=bindings.titles if bindings else "off",
        nodes=nodes,
        other_bases=others,
        runs=tuple(runs.values()),
        pending=tuple(unclaimed(inputs, runs.values())),
        grounds_coach=_is_node(profile or profile_is_default, nodes),
    )


def _is_node(profile: str, nodes: tuple[NodeSeen, ...]) -> bool:
    own = [each for each in nodes if each.role == "harvest"]
    return any(profile in {each.path, f"{NODE_PREFIX}{each.ref}"} for each in own if each.path)


async def locate(parts: Parts, data_dir: str, profile: str) -> Place:
    """Return where `profile`, a path or a node, lies."""
    node = NodeSeen(ref="", kind="", role="none")
    if profile.startswith(NODE_PREFIX):
        try:
            node = await _node(parts, await parts.bound(), parse_ref(profile), "none")
        except CustodyError as error:
            node = replace(node, code=error.code)
    return Place(profile=profile, bindings=parts.bases.path, data_dir=data_dir, node=node)


async def _nodes(parts: Parts, bindings: Bindings) -> tuple[NodeSeen, ...]:
    own = await _node(parts, bindings, bindings.harvest, "harvest")
    return (own, *[await _node(parts, bindings, ref, "reads") for ref in bindings.reads])


async def _node(
    parts: Parts, bindings: Bindings, ref: Ref, role: Literal["harvest", "reads", "none"]
) -> NodeSeen:
    base = bindings.base_of(ref)
    try:
        reading = await parts.bases.custody(base, ref.node).read()
    except CustodyError as error:
        return NodeSeen(ref=str(ref), kind=_kind(base), role=role, code=error.code)
    code = "" if reading.base_id == base.id else "E_IDENTITY"
    if not code and role == "harvest" and reading.node.owner != bindings.owner:
        code = "E_OWNER"
    return NodeSeen(
        ref=str(ref),
        kind=_kind(base),
        role=role,
        code=code,
        path=_path(base, reading.node.file),
        size=len(reading.content),
        digest=content_hash(reading.content),
        commit=reading.commit,
        date=reading.date,
        print=_print(base, reading),
    )


def _kind(base: Binding) -> str:
    match base:
        case DirectoryBinding():
            return "directory"
        case GitBinding():
            return "git"
        case CommandBinding():
            return "command"


def _print(base: Binding, reading: Reading) -> tuple[str, ...]:
    match base:
        case DirectoryBinding():
            return ()
        case GitBinding(repository=repository, root=root):
            path = posixpath.normpath(f"{root}/{reading.node.file}")
            command = ("git", "-C", repository, "--no-replace-objects", "cat-file", "blob")
            return (*command, f"{reading.commit}:{path}")
        case CommandBinding(read=read):
            return read


def _path(base: Binding, file: str) -> str:
    match base:
        case DirectoryBinding(path=path):
            return f"{path}/{file}"
        case GitBinding(repository=repository, root=root):
            return f"{repository}:{root}/{file}"
        case CommandBinding(read=read):
            return read[0]
