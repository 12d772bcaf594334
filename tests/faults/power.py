"""What a power cut may leave: of all that was not synced any part, as a recorded trace allows.

The way of "All File Systems Are Not Created Equal" (OSDI 2014): a file's data is sure once the file
was synced, and its name once the directory was. Until then each write may be there, missing or
torn, and so may each name, whatever is there of the others.
"""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeAlias, TypeVar

TRACED = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,close,newfstatat"
OPTIONS = ("-f", "-y", "-xx", "-qq", "-s", "1000000", "-e", f"trace={TRACED}")
"""What strace needs to be asked for."""

Item = TypeVar("Item")

Files: TypeAlias = Mapping[str, bytes]
"""What lies in the directory after a power cut."""

_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_DESCRIPTOR = re.compile(r"^(\d+)<")
_LAST_NUMBER = re.compile(r"(\d+)$")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that went well, or one that marks a moment, for which it doesn't matter."""

    name: str
    arguments: str
    result: int

    @property
    def texts(self) -> list[bytes]:
        """The texts among its arguments."""
        found = _TEXT.findall(self.arguments)
        return [bytes.fromhex(text.replace("\\x", "")) for text in found]

    @property
    def descriptor(self) -> int:
        """The descriptor that it is about; -1 when it is about none."""
        found = _DESCRIPTOR.match(self.arguments)
        return int(found[1]) if found else -1

    @property
    def last_number(self) -> int:
        """Its last argument."""
        found = _LAST_NUMBER.search(self.arguments)
        return int(found[1]) if found else 0


def calls_in(log: str) -> Iterator[Call]:
    """Yield the calls that strace has seen."""
    for line in log.splitlines():
        if found := _CALL.match(line):
            yield Call(found[1], found[2], int(found[3]))


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes at a place in a file; without any, the file was cut there."""

    at: int
    data: bytes | None


@dataclass(slots=True)
class Inode:
    """A file, whatever its name: what is sure of it, and what isn't yet."""

    sure: bytes = b""
    unsure: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        """Make all of it sure."""
        self.sure = written(self.sure, self.unsure)
        self.unsure.clear()

    def remains(self) -> list[bytes]:
        """Return what a power cut may leave of it."""
        kept: list[Sequence[Write]] = [*_some_of(self.unsure)]
        kept += [[*some[:-1], _torn(some[-1])] for some in kept if some]
        return list(dict.fromkeys(written(self.sure, some) for some in kept))


def written(data: bytes, writes: Sequence[Write]) -> bytes:
    """Return a file's data after some writes."""
    changed = bytearray(data)
    for write in writes:
        if write.data is None:
            del changed[write.at :]
            changed.extend(bytes(write.at - len(changed)))
        else:
            changed.extend(bytes(max(0, write.at - len(changed))))
            changed[write.at : write.at + len(write.data)] = write.data
    return bytes(changed)


def _some_of(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield the first few, for each number of them, and all but each one."""
    for count in range(len(items) + 1):
        yield items[:count]
    for number in range(len(items) - 1):
        yield [*items[:number], *items[number + 1 :]]


def _torn(write: Write) -> Write:
    return write if write.data is None else Write(write.at, write.data[: len(write.data) // 2])


Renaming: TypeAlias = Mapping[str, Inode | None]
"""Which names change at once, and what they stand for then."""


class Disk:
    """One directory on a disk, as the calls of a trace leave it."""

    def __init__(self, directory: Path) -> None:
        self._directory = bytes(directory)
        self._sure: dict[str, Inode] = {}
        self._unsure: list[Renaming] = []
        self._now: dict[str, Inode] = {}
        self._open: dict[int, Inode | None] = {}
        """What each descriptor is about: a file, or the directory."""
        self._places: dict[int, int] = {}

    def take(self, call: Call) -> str:
        """Follow a call; return the name that is asked for when it marks a moment."""
        match call.name:
            case "openat" if call.result >= 0:
                self._take_open(call)
            case "close":
                self._open.pop(call.descriptor, None)
            case "rename" if call.result == 0:
                old, new = map(self._name, call.texts)
                if old and new:
                    self._rename({old: None, new: self._now[old]})
            case "unlink" if call.result == 0:
                if name := self._name(call.texts[0]):
                    self._rename({name: None})
            case "newfstatat" if call.texts:
                return self._name(call.texts[0])
            case _ if call.descriptor in self._open:
                self._change(call, self._open[call.descriptor])
        return ""

    def _name(self, path: bytes) -> str:
        """Return the name of what lies in the directory, empty for anything else."""
        head, _, tail = path.rpartition(b"/")
        # Which page of its memory belongs to whom SQLite works out anew.
        return tail.decode() if head == self._directory and not tail.endswith(b"-shm") else ""

    def _take_open(self, call: Call) -> None:
        path = call.texts[0]
        if path == self._directory:
            self._open[call.result] = None
        elif name := self._name(path):
            if name not in self._now:
                self._rename({name: Inode()})
            self._open[call.result] = self._now[name]
            self._places[call.result] = 0

    def _rename(self, names: Renaming) -> None:
        self._unsure.append(names)
        self._now = _renamed(self._now, [names])

    def _change(self, call: Call, inode: Inode | None) -> None:
        match call.name:
            case "fsync" | "fdatasync" if inode is None:
                self._sure = dict(self._now)
                self._unsure.clear()
            case "fsync" | "fdatasync" if inode is not None:
                inode.sync()
            case "write" if inode is not None:
                at = self._places[call.descriptor]
                inode.unsure.append(Write(at, call.texts[0][: call.result]))
                self._places[call.descriptor] += call.result
            case "pwrite64" if inode is not None:
                inode.unsure.append(Write(call.last_number, call.texts[0][: call.result]))
            case "ftruncate" if inode is not None:
                inode.unsure.append(Write(call.last_number, None))

    def after_a_cut(self, rng: Random, at_most: int) -> Iterator[Files]:
        """Yield what a power cut at this moment may leave, but of very many only some."""
        for names in _some_of(self._unsure):
            there = _renamed(self._sure, names)
            remains = [inode.remains() for inode in there.values()]
            states: Iterable[Sequence[bytes]] = itertools.product(*remains)
            if math.prod(map(len, remains)) > at_most:
                states = [[rng.choice(each) for each in remains] for _ in range(at_most)]
            for state in states:
                yield dict(zip(there, state, strict=True))


def _renamed(names: Mapping[str, Inode], changes: Sequence[Renaming]) -> dict[str, Inode]:
    changed: dict[str, Inode | None] = dict(names)
    for change in changes:
        changed.update(change)
    return {name: inode for name, inode in changed.items() if inode is not None}
