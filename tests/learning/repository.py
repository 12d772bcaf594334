"""A person's own Git repository, with a base in it."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.learning.world import PROFILE, marker

MAIN = "refs/heads/main"


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository whose `root` is a base with one node, `profile`."""

    path: Path
    root: str = "."

    @property
    def file(self) -> str:
        """The node's file, as Git names it."""
        return "knowledge.md" if self.root == "." else f"{self.root}/knowledge.md"

    def git(self, *arguments: str) -> str:
        """Run Git."""
        return git(self.path, *arguments)

    def bindings(self, name: str = "me") -> str:
        """Return the bindings of the base."""
        return (
            f'[bases.{name}]\nid = "{name}-1"\nkind = "git"\nrepository = "{self.path}"\n'
            f'root = "{self.root}"\naccepted = "{MAIN}"\n'
        )

    def commit(self, text: bytes, message: str = "edit") -> None:
        """Change the node's file, and commit."""
        (self.path / self.file).write_bytes(text)
        self.git("commit", "-qam", message)

    def at(self, ref: str) -> str:
        """Return the node's file at a ref."""
        return self.git("show", f"{ref}:{self.file}") + "\n"

    def branches(self) -> list[str]:
        """Return the branches of harvests."""
        return self.git("for-each-ref", "--format=%(refname)", "refs/heads/antidrift").split()

    def object_of(self, name: str) -> Path:
        """Return the file in which Git keeps a commit or a blob."""
        digest = self.git("rev-parse", name)
        return self.path / ".git" / "objects" / digest[:2] / digest[2:]

    def snapshot(self) -> tuple[str, bytes, bytes, str]:
        """Return what must never change: main, HEAD, the index, and what is in the tree."""
        dot_git = self.path / ".git"
        index = (dot_git / "index").read_bytes()
        tree = [str(path.stat().st_mtime_ns) for path in sorted(self.path.glob("**/*.md"))]
        return self.git("rev-parse", MAIN), (dot_git / "HEAD").read_bytes(), index, "".join(tree)


def make_repository(path: Path, root: str = ".", text: bytes = PROFILE.encode()) -> Repository:
    """Make a repository with a marker and a profile, committed."""
    folder = path if root == "." else path / root
    folder.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    (folder / "antidrift-base.toml").write_text(marker())
    (folder / "knowledge.md").write_bytes(text)
    (path / "README").write_text("notes\n")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "begin")
    return Repository(path, root)


def git(folder: Path, *arguments: str) -> str:
    """Run Git in a repository, as somebody with a plain configuration."""
    environ = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.org",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, env=environ, capture_output=True, check=True)
    return done.stdout.decode().strip()
