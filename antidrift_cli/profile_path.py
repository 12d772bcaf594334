"""The path of the profile, as a person types it and as it is shown."""

import os

from antidrift_cli.errors import BadInput

NODE_PREFIX = "node:"


def absolute(path: str) -> str:
    """Return `path` seen from here, with `~` and `~user` expanded; the file needn't exist.

    A node's reference stays as it is.

    Raises:
        BadInput: it can't be told what it means.
    """
    if not path:
        raise BadInput("the path is empty; `antidrift knowledge-path --reset` takes the default")
    if path.startswith(NODE_PREFIX):
        return path
    from pathlib import Path  # here, as `status` needs only what is below

    try:
        return str(Path(path).expanduser().absolute())
    except (OSError, RuntimeError) as error:  # we stand in no folder, or there is no such home
        raise BadInput(f"{path} can't be told from here: {error}") from error


def is_there(path: str) -> bool:
    """Return whether there is a file at an absolute path; of a node that isn't told here."""
    return path.startswith(NODE_PREFIX) or os.access(path, os.F_OK)


def with_tilde(path: str) -> str:
    """Return `path` with `~` for the home directory."""
    home = os.environ.get("HOME", "").rstrip("/")
    inside = bool(home) and path.startswith(f"{home}/")
    return f"~{path.removeprefix(home)}" if inside else path
