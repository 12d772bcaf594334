"""Asks Git, by its plumbing only: no hooks, filters, replaced objects or settings of others."""

import subprocess
from collections.abc import Mapping
from functools import partial
from os import defpath

import trio

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.programs.environment import program_environ
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.lookup import find_program

PLAIN_NO = 1
"""How a question to Git exits when the answer is no; anything else is no answer."""

_TIMEOUT_SECS = 20.0
_IDENTITY = {
    "GIT_AUTHOR_NAME": "Antidrift",
    "GIT_AUTHOR_EMAIL": "antidrift@localhost",
    "GIT_COMMITTER_NAME": "Antidrift",
    "GIT_COMMITTER_EMAIL": "antidrift@localhost",
}
_ALONE = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}


class GitFailed(CustodyError):
    """Git ended with another exit code than 0, which for some commands is a plain no."""

    def __init__(self, repository: str, exit_code: int) -> None:
        message = f"Git failed in {repository} (exit code {exit_code}); `git fsck` may tell why"
        super().__init__("E_ACCESS", message)
        self.exit_code = exit_code


class Git:
    """Runs Git on one repository."""

    def __init__(self, repository: str, environ: Mapping[str, str]) -> None:
        self._repository = repository
        self._environ = environ

    async def run(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """Return what a Git command prints.

        Raises:
            GitFailed: it didn't exit with 0.
            CustodyError: `E_ACCESS`, it can't be run, or comes to no end.
        """
        ask = partial(self.run_blocking, *arguments, stdin=stdin, env=env)
        return await trio.to_thread.run_sync(ask, abandon_on_cancel=True)

    def run_blocking(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """Do the same in a thread that has been given up to it."""
        command = [*self._command(), *arguments]
        environ = {**program_environ(self._environ), **_ALONE, **(env or {})}
        done = _run(command, stdin, environ)
        if done.returncode != 0:
            raise GitFailed(self._repository, done.returncode)
        return done.stdout

    async def word(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> str:
        """Return the one word that a Git command prints."""
        return (await self.run(*arguments, stdin=stdin, env=env)).decode().strip()

    async def commit_tree(self, tree: str, parent: str, message: str, at: str) -> str:
        """Return a commit by us, which is the same for the same arguments."""
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, **_IDENTITY}
        arguments = ("commit-tree", "--no-gpg-sign", "-p", parent, tree)
        return await self.word(*arguments, stdin=message.encode(), env=dates)

    def _command(self) -> list[str]:
        try:
            git = find_program("git", self._environ.get("PATH", defpath))
        except ProgramError as error:
            raise CustodyError("E_ACCESS", f"a Git base needs Git: {error}") from error
        off = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
        return [git, "-C", self._repository, "--no-replace-objects", *off]


def _run(
    command: list[str], stdin: bytes, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Return how a command ended; Git's plumbing is short-lived, so it needs no guard."""
    try:
        return subprocess.run(
            command,
            input=stdin,
            env=environ,
            capture_output=True,
            timeout=_TIMEOUT_SECS,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = f"Git gave no answer in {_TIMEOUT_SECS:g} s"
        raise CustodyError("E_ACCESS", message) from error
    except OSError as error:
        raise CustodyError("E_ACCESS", f"Git can't be run: {error.strerror}") from error
