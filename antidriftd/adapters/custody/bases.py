"""The bindings file, read afresh each time, and the custody of each base that it names.

What reaches into a base is imported when one is bound: most people have none.
"""

from collections.abc import Mapping
from pathlib import Path

import trio

from antidriftd.adapters.custody.files import read_regular
from antidriftd.adapters.custody.port import Custody
from antidriftd.core.knowledge.bindings import (
    Binding,
    Bindings,
    CommandBinding,
    DirectoryBinding,
    GitBinding,
    parse_bindings,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.refs import Ref


class FileBases:
    """Knows bases by the bindings file at `path`."""

    def __init__(self, path: str, data_dir: Path, environ: Mapping[str, str]) -> None:
        """Take where the bindings and the evidence lie; the latter must be in no base."""
        self.path = path
        self._data_dir = data_dir
        self._environ = environ
        self._owner = ""

    async def bindings(self) -> Bindings | None:
        """Return the bindings; see `Bases.bindings`."""
        found = await trio.to_thread.run_sync(self._load, abandon_on_cancel=True)
        self._owner = found.owner if found else ""
        return found

    def custody(self, base: Binding, node: str) -> Custody:
        """Return a node of a base; see `Bases.custody`."""
        match base:
            case DirectoryBinding():
                from antidriftd.adapters.custody.directory import DirectoryCustody

                return DirectoryCustody(base, node, self._environ)
            case GitBinding():
                from antidriftd.adapters.custody.git import GitCustody

                return GitCustody(base, node, self._environ)
            case CommandBinding():
                from antidriftd.adapters.custody.command import CommandCustody

                return CommandCustody(base, self._owner, self._environ)

    async def read(self, ref: Ref) -> bytes:
        """Return the content of a node, whoever owns it: reading needs no ownership.

        Raises:
            CustodyError: it can't be had, or is not the node that the bindings mean.
        """
        bindings = await self.bindings()
        if bindings is None:
            raise CustodyError("E_UNBOUND", f"there is no {self.path} to know {ref} by")
        base = bindings.base_of(ref)
        reading = await self.custody(base, ref.node).read()
        if reading.base_id != base.id:
            raise CustodyError("E_IDENTITY", f"base {ref.base} is not the one that was bound")
        return reading.content

    def _load(self) -> Bindings | None:
        path = Path(self.path)
        if not path.is_absolute():
            message = "ANTIDRIFT_KNOWLEDGE_BINDINGS must be an absolute path"
            raise CustodyError("E_BINDINGS", message)
        target = path.resolve()  # a link to where somebody keeps their settings is followed
        if not target.exists() and not path.is_symlink():
            return None
        text = read_regular(target, "E_BINDINGS")
        home = self._environ.get("HOME", "") or str(Path.home())
        found = parse_bindings(text, str(path.parent), home)
        for base in found.bases.values():
            self._refuse_if_around(base)
        return found

    def _refuse_if_around(self, base: Binding) -> None:
        """Refuse a base that the evidence would lie in."""
        match base:
            case DirectoryBinding(path=place) | GitBinding(repository=place):
                if self._data_dir.resolve().is_relative_to(Path(place).resolve()):
                    message = f"base {base.name} holds {self._data_dir}, where evidence is kept"
                    raise CustodyError("E_BINDINGS", message)
            case CommandBinding():
                pass
