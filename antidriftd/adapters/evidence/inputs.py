"""Sealed evidence, where it was sent since, and what was forgotten."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from antidriftd import durable
from antidriftd.adapters.evidence.sealed import (
    decode,
    encode,
    read_sealed,
    sealed_files,
    write_file,
    write_sealed,
)
from antidriftd.core.knowledge.model import Destination, Input


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebound:
    """An input that goes elsewhere since a time; `seq` counts the moves of this input."""

    input: str
    seq: int
    at: str
    old: Destination
    new: Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """That an input was there, and until when."""

    input: str
    at: str


class FileInputs:
    """Keeps inputs below one folder; see `Inputs`."""

    def __init__(self, folder: Path) -> None:
        self._inputs = folder / "inputs"
        self._rebound = folder / "rebound"
        self._forgotten = folder / "forgotten"

    def keep(self, packet: Input) -> str:
        """Write an input and return its id."""
        return write_sealed(self._inputs, packet)

    def read_all(self) -> Mapping[str, tuple[Input, int]]:
        """Return every input with its size, oldest session first."""
        found = {
            path.stem: read_sealed(path, Input)
            for path in sealed_files(self._inputs)
            if not self._tombstone(path.stem).exists()
        }
        return dict(sorted(found.items(), key=lambda item: _age(item[0], item[1][0])))

    def names(self) -> tuple[str, ...]:
        """Return the ids of all inputs."""
        names = (path.stem for path in sealed_files(self._inputs))
        return tuple(name for name in names if not self._tombstone(name).exists())

    def rebind(self, input_id: str, to: Destination, at: str) -> None:
        """Keep a receipt that an input goes elsewhere."""
        moves = [move for move in self._moves() if move.input == input_id]
        packet, _ = read_sealed(self._inputs / f"{input_id}.json", Input)
        old = moves[-1].new if moves else packet.destination
        move = Rebound(input=input_id, seq=len(moves) + 1, at=at, old=old, new=to)
        write_sealed(self._rebound, move)

    def destinations(self) -> Mapping[str, Destination]:
        """Return where inputs go that were sent elsewhere."""
        return {move.input: move.new for move in self._moves()}

    def forget(self, input_id: str, at: str) -> None:
        """Leave a tombstone, then delete the input."""
        write_file(self._tombstone(input_id), encode(Tombstone(input=input_id, at=at)))
        durable.remove(self._inputs / f"{input_id}.json")

    def forgotten(self) -> tuple[str, ...]:
        """Return the inputs that have a tombstone."""
        return tuple(path.stem for path in sealed_files(self._forgotten))

    def bury(self) -> None:
        """Delete what has a tombstone and is still there."""
        for path in sealed_files(self._forgotten):
            decode(path.read_bytes(), Tombstone, str(path))
            durable.remove(self._inputs / path.name)

    def _moves(self) -> list[Rebound]:
        moves = [read_sealed(path, Rebound)[0] for path in sealed_files(self._rebound)]
        return sorted(moves, key=lambda move: move.seq)

    def _tombstone(self, input_id: str) -> Path:
        return self._forgotten / f"{input_id}.json"


def _age(input_id: str, packet: Input) -> tuple[str, str]:
    return packet.source.ended or packet.source.started, input_id
