"""Custody in a directory: its current files count, and one of them is swapped in one step."""

import os
from collections.abc import Mapping
from pathlib import Path
from stat import S_IMODE

import trio

from antidriftd import durable
from antidriftd.adapters.custody.files import inside, read_marker, read_regular
from antidriftd.adapters.custody.plumbing import PLAIN_NO, Git, GitFailed
from antidriftd.adapters.custody.port import Order, Reading, Standing
from antidriftd.core.knowledge.bindings import DirectoryBinding
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import CustodyKind
from antidriftd.core.knowledge.settling import compare


class DirectoryCustody:
    """One file of a directory."""

    kind: CustodyKind = "directory"
    limits = ""

    def __init__(self, base: DirectoryBinding, node: str, environ: Mapping[str, str]) -> None:
        self._root = Path(base.path)
        self._node = node
        self._environ = environ

    async def read(self) -> Reading:
        """Return the file as it is; see `Custody.read`."""
        return await trio.to_thread.run_sync(self._read, abandon_on_cancel=True)

    async def publish(self, order: Order) -> None:
        """Swap the file; see `Custody.publish`."""
        await trio.to_thread.run_sync(self._publish, order)

    async def check(self, order: Order) -> Standing:
        """Return what the file tells; see `Custody.check`."""
        reading = await self.read()
        match compare(reading.content, order.proposal):
            case "before":
                return "unpublished"
            case "after" | "edited":
                return "applied"
            case "other":
                return "stale"
            case _:
                return "uncertain"

    def _read(self) -> Reading:
        marker = read_marker(self._root)
        node = marker.node(self._node)
        content = read_regular(inside(self._root, node.file), "E_NODE")
        return Reading(
            content=content,
            base_id=marker.id,
            node=node,
            locator={"path": str(self._root), "file": node.file},
        )

    def _publish(self, order: Order) -> None:
        reading = self._read()
        path = inside(self._root, reading.node.file)
        self._refuse_if_unfit(path)
        if reading.content != order.proposal.before:
            message = f"{path} has changed since it was judged from; see: antidrift harvest rejudge"
            raise CustodyError("E_STALE", message)
        try:
            temporary = path.with_name(f".{path.name}.antidrift-new")
            mode = S_IMODE(path.stat().st_mode)
            durable.replace(path, temporary, order.proposal.after, mode=mode)
        except OSError as error:
            message = f"{path} can't be written: {error.strerror or error}"
            raise CustodyError("E_ACCESS", message) from error

    def _refuse_if_unfit(self, path: Path) -> None:
        if path.stat().st_nlink > 1:
            message = f"{path} has other names (hard links), which would keep the old text"
            raise CustodyError("E_PATH", message)
        if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
            raise CustodyError("E_ACCESS", f"{path} can't be written; make it and its folder so")
        if _is_tracked(path, self._environ):
            message = f"{path} is tracked by Git, or may be; bind its repository with kind = git"
            raise CustodyError("E_GIT_CUSTODY", message)


def _is_tracked(path: Path, environ: Mapping[str, str]) -> bool:
    """Return whether a repository around `path` tracks it; where Git can't tell, it may."""
    real = path.resolve()
    if not any((parent / ".git").exists() for parent in real.parents):
        return False
    try:
        git = Git(str(real.parent), environ)
        git.run_blocking("ls-files", "--error-unmatch", "--", real.name)
    except GitFailed as error:
        return error.exit_code != PLAIN_NO
    except CustodyError:  # there is no Git to ask, say
        return True
    return True
