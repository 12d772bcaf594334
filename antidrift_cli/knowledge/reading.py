"""Reads runs and evidence where the daemon keeps them; nothing is written, nothing asked.

What the files hold is told in docs/knowledge.md; a member that this client doesn't know is ignored.
"""

import os
import re
from pathlib import Path
from typing import TypeVar

import msgspec

from antidrift_cli.errors import NotEstablished
from protocol.paths import knowledge_dir

T = TypeVar("T")

_RUN = re.compile(r"r-[0-9a-f]+")


class Outcome(msgspec.Struct, frozen=True):
    """What the judge said of a candidate."""

    candidate: str
    verdict: str
    code: str
    reason: str
    text: str | None = None


class Operation(msgspec.Struct, frozen=True):
    """One line of a proposal."""

    verdict: str
    candidate: str
    id: str
    revision: int
    line: str
    replaced: str = ""
    replaces_own_words: bool = False


class Proposal(msgspec.Struct, frozen=True):
    """What a run would have the person accept."""

    run: str
    before: bytes
    after: bytes
    operations: tuple[Operation, ...]
    outcomes: tuple[Outcome, ...]


class Destination(msgspec.Struct, frozen=True):
    """Where a run's evidence was meant to go."""

    ref: str
    kind: str


class Claim(msgspec.Struct, frozen=True):
    """What a run took on."""

    inputs: tuple[str, ...]
    destination: Destination
    after: str = ""


class Run(msgspec.Struct, frozen=True):
    """Where a run stands."""

    run: str
    state: str
    began: str
    claim: Claim
    code: str = ""
    attempt: int = 0
    linked: str = ""


class Candidate(msgspec.Struct, frozen=True):
    """One claim of the evidence."""

    n: int
    at: str
    kind: str
    claim: str
    certainty: str


class Source(msgspec.Struct, frozen=True):
    """The session that evidence is from."""

    id: str
    label: str = ""


class Input(msgspec.Struct, frozen=True):
    """Sealed evidence."""

    source: Source
    candidates: tuple[Candidate, ...]


class Archive:
    """The folder of evidence and runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def runs(self) -> list[Run]:
        """Return every run, oldest first."""
        paths = self._folder.glob("runs/r-*/run.json")
        return sorted((_decoded(path, Run) for path in paths), key=lambda run: run.began)

    def run(self, name: str) -> Run:
        """Return the run called so.

        Raises:
            NotEstablished: there is none.
        """
        path = self._folder / "runs" / name / "run.json"
        if _RUN.fullmatch(name) and path.exists():
            return _decoded(path, Run)
        message = "E_INPUT: there is no such run; antidrift harvest list shows them"
        raise NotEstablished(message)

    def proposal(self, run: str) -> Proposal | None:
        """Return a run's proposal, if it came to one."""
        path = self._folder / "runs" / run / "proposal.json"
        return _decoded(path, Proposal) if path.exists() else None

    def trouble(self, run: Run) -> str:
        """Return why the newest attempt failed; empty if it didn't."""
        path = self._folder / "runs" / run.run / f"error-{run.attempt}.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    def candidate(self, name: str) -> tuple[str, Input, Candidate] | None:
        """Return the input's id, the input and the candidate called so; None if it is forgotten."""
        prefix, _, number = name.partition(":")
        for path in sorted(self._folder.glob("inputs/*.json")):
            if not path.stem.startswith(prefix):
                continue
            packet = _decoded(path, Input)
            for candidate in packet.candidates:
                if str(candidate.n) == number:
                    return path.stem, packet, candidate
        return None


def open_archive() -> Archive:
    """Return the archive that this environment names; it need not be there."""
    return Archive(Path(knowledge_dir(os.environ)))


def _decoded(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise NotEstablished(f"E_INPUT: {path} can't be read") from error
