"""The knowledge source that also knows nodes: `node:BASE/NODE` is read from its base, or fails."""

from collections.abc import Awaitable, Callable

import trio

from antidriftd.adapters.knowledge.file import TIMEOUT_SECS, profile_text
from antidriftd.adapters.knowledge.port import KnowledgeError, KnowledgeSource
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.refs import NODE_PREFIX, Ref, parse_ref
from antidriftd.core.model import Profile

ReadNode = Callable[[Ref], Awaitable[bytes]]


class NodeKnowledgeSource:
    """Reads nodes by `read_node`, and everything else from `files`.

    A node was named, so one that can't be had is an error: the default never stands in for it.
    """

    def __init__(self, default: str, files: KnowledgeSource, read_node: ReadNode) -> None:
        """Take the configured default, which may be a node too."""
        self._default = default
        self._files = files
        self._read_node = read_node

    async def load(self, path: str) -> Profile:
        """Return the profile at `path`; see `KnowledgeSource.load`."""
        named = path or self._default
        if not named.startswith(NODE_PREFIX):
            return await self._files.load(path)
        try:
            with trio.fail_after(TIMEOUT_SECS):
                content = await self._read_node(parse_ref(named))
        except CustodyError as error:
            raise KnowledgeError(str(error), named, error.code) from error
        except trio.TooSlowError as error:
            message = f"{named}: no answer in {TIMEOUT_SECS:g} s"
            raise KnowledgeError(message, named, "E_ACCESS") from error
        return Profile(profile_text(content), named)
