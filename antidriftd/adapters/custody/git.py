"""Custody in Git: the accepted ref is read, and a proposal is a new branch with one commit."""

from collections.abc import Mapping
from pathlib import Path

import trio

from antidriftd.adapters.custody.files import MAX_FILE_BYTES
from antidriftd.adapters.custody.plumbing import PLAIN_NO, Git, GitFailed
from antidriftd.adapters.custody.port import Order, Reading, Standing
from antidriftd.core.knowledge.bindings import GitBinding
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.marker import MARKER_FILE, Marker, parse_marker
from antidriftd.core.knowledge.model import CustodyKind
from antidriftd.core.knowledge.settling import is_taken_in

_NO_REF = "0" * 40


class GitCustody:
    """One file of a local repository; never its working tree, its index or a remote."""

    kind: CustodyKind = "git"
    limits = ""

    def __init__(self, base: GitBinding, node: str, environ: Mapping[str, str]) -> None:
        self._base = base
        self._node = node
        self._git = Git(base.repository, environ)

    async def read(self) -> Reading:
        """Return the file at the accepted ref; see `Custody.read`."""
        commit = await self._accepted()
        marker = await self._marker(commit)
        node = marker.node(self._node)
        return Reading(
            content=await self._file(commit, self._path(node.file)),
            base_id=marker.id,
            node=node,
            locator={
                "repository": self._base.repository,
                "root": self._base.root,
                "accepted": self._base.accepted,
                "file": node.file,
            },
            commit=commit,
            date=await self._git.word("show", "-s", "--format=%cI", "--no-show-signature", commit),
        )

    async def publish(self, order: Order) -> None:
        """Make the branch; see `Custody.publish`. The accepted ref stays where it is."""
        commit = await self._build(order)
        branch = _branch(order)
        try:
            await self._git.run("update-ref", branch, commit, _NO_REF)
        except GitFailed as error:
            message = f"{branch} can't be made; delete a branch of that name, then try again"
            raise CustodyError("E_BRANCH", message) from error

    async def check(self, order: Order) -> Standing:
        """Return what branch and accepted ref tell; see `Custody.check`."""
        commit = await self._accepted()
        ours = await self._ref(_branch(order))
        if ours and await self._is_ancestor(ours, commit):
            return "accepted"
        try:
            file = self._path((await self._marker(commit)).node(self._node).file)
            content = await self._file(commit, file)
        except CustodyError as error:
            if error.code == "E_ACCESS":
                raise
            content = b""  # where there is no file, nothing was taken in
        if is_taken_in(content, order.proposal):
            return "accepted"
        return "delivered" if ours else "unpublished"

    # --- building ---------------------------------------------------------------------------

    async def _build(self, order: Order) -> str:
        """Return the commit that changes our file and nothing else."""
        marker = await self._marker(order.commit)
        path = self._path(marker.node(self._node).file)
        if await self._file(order.commit, path) != order.proposal.before:
            message = f"{path} has changed on {self._base.accepted} since it was judged from"
            raise CustodyError("E_STALE", message)
        mode = await self._mode(order.commit, path)
        blob = await self._blob(order.proposal.after)
        tree = await self._tree(order.commit, path, mode, blob)
        count = len(order.proposal.inputs)
        message = f"Learn from {count} inputs\n\nAntidrift-Run: {order.proposal.run}\n"
        commit = await self._git.commit_tree(tree, order.commit, message, order.at)
        await self._verify(commit, order, path)
        return commit

    async def _blob(self, content: bytes) -> str:
        return await self._git.word("hash-object", "-w", "--no-filters", "--stdin", stdin=content)

    async def _tree(self, commit: str, path: str, mode: str, blob: str) -> str:
        """Return the commit's tree with one file replaced, one folder after the other."""
        folder, _, name = path.rpartition("/")
        entry = f"{mode} blob {blob}\t{name}".encode()
        while True:
            where = f"{commit}:{folder}"
            listed = (await self._git.run("ls-tree", "-z", where)).split(b"\0")
            own = entry.partition(b"\t")[2]
            lines = [line for line in listed if line and line.partition(b"\t")[2] != own]
            stdin = b"\0".join([*lines, entry]) + b"\0"
            tree = await self._git.word("mktree", "-z", "--missing", stdin=stdin)
            if not folder:
                return tree
            folder, _, name = folder.rpartition("/")
            entry = f"040000 tree {tree}\t{name}".encode()

    async def _verify(self, commit: str, order: Order, path: str) -> None:
        parents = (await self._git.word("rev-list", "--parents", "-n", "1", commit)).split()[1:]
        diff = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", order.commit, commit)
        changed = [name for name in (await self._git.run(*diff)).split(b"\0") if name]
        same = await self._file(commit, path) == order.proposal.after
        if parents != [order.commit] or changed != [path.encode()] or not same:
            raise CustodyError("E_UNCERTAIN", "Git did not build what was asked for")

    # --- looking ----------------------------------------------------------------------------

    async def _accepted(self) -> str:
        repository = Path(self._base.repository)
        await trio.to_thread.run_sync(_refuse_if_unfit, repository, abandon_on_cancel=True)
        commit = await self._ref(self._base.accepted)
        if not commit:
            message = f"{self._base.repository} has no {self._base.accepted} to read from"
            raise CustodyError("E_REF", message)
        return commit

    async def _ref(self, name: str) -> str:
        """Return the commit of a branch; empty if there is none of that name.

        Not as `NAME^{commit}`: of a branch whose commit is lost, that would say no as well.
        """
        try:
            return await self._git.word("rev-parse", "--verify", "--quiet", name)
        except GitFailed as error:
            if error.exit_code != PLAIN_NO:
                raise
            return ""

    async def _is_ancestor(self, commit: str, of: str) -> bool:
        try:
            await self._git.run("merge-base", "--is-ancestor", commit, of)
        except GitFailed as error:
            if error.exit_code != PLAIN_NO:
                raise
            return False
        return True

    async def _marker(self, commit: str) -> Marker:
        try:
            return parse_marker(await self._file(commit, self._path(MARKER_FILE)))
        except CustodyError as error:
            if error.code != "E_NODE":
                raise
            message = f"{MARKER_FILE} is not on {self._base.accepted}; commit it there"
            raise CustodyError("E_IDENTITY", message) from error

    async def _file(self, commit: str, path: str) -> bytes:
        await self._mode(commit, path)
        return await self._git.run("cat-file", "blob", f"{commit}:{path}")

    async def _mode(self, commit: str, path: str) -> str:
        """Return the mode of a regular file in a commit."""
        listed = await self._git.run("ls-tree", "-z", "-l", "--full-tree", commit, "--", path)
        mode = listed.partition(b" ")[0].decode()
        if not listed:
            raise CustodyError("E_NODE", f"{path} is not on {self._base.accepted}; commit it there")
        if mode not in {"100644", "100755"}:
            raise CustodyError("E_PATH", f"{path} is not a regular file on {self._base.accepted}")
        size = listed.partition(b"\t")[0].split()[3]
        if not size.isdigit():  # "BAD": the file's content is lost
            message = f"{path} can't be read from {self._base.accepted}; `git fsck` may tell why"
            raise CustodyError("E_ACCESS", message)
        if int(size) > MAX_FILE_BYTES:
            raise CustodyError("E_TOO_LARGE", f"{path} is too large; shorten it")
        return mode

    def _path(self, file: str) -> str:
        root = self._base.root.strip("/").removeprefix("./")
        return file if root in {"", "."} else f"{root}/{file}"


def _refuse_if_unfit(repository: Path) -> None:
    if (repository / ".git").is_file():
        message = f"{repository} is a linked worktree; bind the repository itself"
        raise CustodyError("E_GIT_CUSTODY", message)
    if not (repository / ".git").is_dir() and not (repository / "HEAD").is_file():
        raise CustodyError("E_BASE", f"there is no repository {repository}; correct knowledge.toml")


def _branch(order: Order) -> str:
    return f"refs/heads/antidrift/harvest/{order.proposal.run}"
