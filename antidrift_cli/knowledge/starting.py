"""Makes bindings and a base's marker, once; what is there is never written over."""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from antidrift_cli.errors import NotEstablished
from protocol.paths import bindings_path

MARKER_FILE = "antidrift-base.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A base to be bound: in a directory, or (with `accepted`) in a Git repository."""

    base: str
    place: Path
    node: str
    file: str
    root: str = "."
    accepted: str = ""


def begin(plan: Plan) -> tuple[Path, str]:
    """Write the bindings and, in a directory, the marker; return their path and the marker.

    The file of the node is neither made nor read.

    Raises:
        NotEstablished: something is there already, or can't be written.
    """
    bindings = Path(bindings_path(os.environ))
    if os.path.lexists(bindings):
        raise NotEstablished(f"E_BINDINGS: {bindings} is there already; edit it by hand")
    owner, base_id = f"o-{secrets.token_hex(4)}", f"{plan.base}-{secrets.token_hex(3)}"
    marker = _marker(plan, owner, base_id)
    if not plan.accepted:
        _write_new(plan.place / MARKER_FILE, marker)
    _write_new(bindings, _bindings(plan, owner, base_id))
    return bindings, marker


def _marker(plan: Plan, owner: str, base_id: str) -> str:
    return (
        f"version = 1\nid = {_text(base_id)}\n\n[nodes.{plan.node}]\n"
        f"file = {_text(plan.file)}\nowner = {_text(owner)}\n"
    )


def _bindings(plan: Plan, owner: str, base_id: str) -> str:
    place = str(plan.place.absolute())
    if plan.accepted:
        where = (
            f'kind = "git"\nrepository = {_text(place)}\nroot = {_text(plan.root)}\n'
            f"accepted = {_text(plan.accepted)}\n"
        )
    else:
        where = f'kind = "directory"\npath = {_text(place)}\n'
    return (
        f"version = 1\nowner = {_text(owner)}\nharvest = {_text(f'{plan.base}/{plan.node}')}\n"
        'reads = []\ncapture = "off"  # "on": sessions leave evidence by themselves\n'
        'titles = "off"   # "on": evidence may hold window titles\n\n'
        f"[bases.{plan.base}]\nid = {_text(base_id)}\n{where}"
    )


def _text(value: str) -> str:
    """Return a TOML string; what JSON escapes, TOML does too, but for DEL."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def _write_new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as error:
        raise NotEstablished(f"E_IDENTITY: {path} is there already; it is left alone") from error
    except OSError as error:
        raise NotEstablished(f"E_ACCESS: {path}: {error.strerror}") from error
