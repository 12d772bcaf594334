"""What the custody verbs answer: ids, states, counts, codes, hashes and paths, never text."""

from protocol.views import View


class Run(View, frozen=True, kw_only=True):
    """Where a harvest stands; without a `run` there was nothing to harvest."""

    run: str = ""
    state: str = ""
    code: str = ""
    inputs: int = 0
    attempt: int = 0
    linked: str = ""


class Runs(View, frozen=True, kw_only=True):
    """The runs that something has changed for."""

    runs: tuple[Run, ...] = ()


class Captured(View, frozen=True, kw_only=True):
    """Where a note went: to the running session, or to an input of its own."""

    session: str = ""
    input: str = ""


class Inputs(View, frozen=True, kw_only=True):
    """The inputs that something was done with."""

    inputs: tuple[str, ...] = ()


class Where(View, frozen=True, kw_only=True):
    """Where the profile and the evidence lie; `profile` may be `node:BASE/NODE`."""

    profile: str = ""
    bindings: str = ""
    data_dir: str = ""
    code: str = ""
    """What is wrong with the profile's node."""
    path: str = ""
    print: tuple[str, ...] = ()
    """The command that prints the node; empty where `path` is its file."""
    commit: str = ""


class Node(View, frozen=True, kw_only=True):
    """One node as it was found, or the code of what is wrong with it."""

    ref: str
    kind: str
    role: str
    code: str = ""
    path: str = ""
    size: int = 0
    digest: str = ""
    commit: str = ""
    date: str = ""


class Custody(View, frozen=True, kw_only=True):
    """A full look at bindings, bases and runs."""

    bindings: str
    data_dir: str
    code: str = ""
    owner: str = ""
    harvest: str = ""
    capture: str = "off"
    titles: str = "off"
    nodes: tuple[Node, ...] = ()
    other_bases: tuple[str, ...] = ()
    runs: tuple[Run, ...] = ()
    pending: tuple[str, ...] = ()
    grounds_coach: bool = False
