"""The bindings: which bases there are, where they lie, and which node this person owns."""

import hashlib
import posixpath
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.refs import Ref, is_name, parse_ref

Switch = Literal["off", "on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryBinding:
    """A directory whose current files count."""

    name: str
    id: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GitBinding:
    """A folder of a local repository; the accepted ref counts, never the working tree."""

    name: str
    id: str
    repository: str
    root: str
    accepted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandBinding:
    """One text behind two programs; nothing else is known of it."""

    name: str
    id: str
    node: str
    read: tuple[str, ...]
    write: tuple[str, ...]


Binding = DirectoryBinding | GitBinding | CommandBinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Bindings:
    """What knowledge.toml says; paths are absolute."""

    owner: str
    harvest: Ref
    reads: tuple[Ref, ...]
    capture: Switch
    titles: Switch
    bases: Mapping[str, Binding]
    digest: str
    """The hash of the file: `sha256:…`."""

    def base_of(self, ref: Ref) -> Binding:
        """Return the base that `ref` names.

        Raises:
            CustodyError: `E_BASE`, it isn't bound; or `E_NODE`, a command has no such node.
        """
        base = self.bases.get(ref.base)
        if base is None:
            known = ", ".join(self.bases)
            raise CustodyError("E_BASE", f"base {ref.base} is not bound; bound are: {known}")
        if isinstance(base, CommandBinding) and base.node != ref.node:
            raise CustodyError("E_NODE", f"base {ref.base} is the one node {base.node}")
        return base


class _Member(NamedTuple):
    """A member of a table: what it may be, in code and in words."""

    check: Callable[[Any], bool]
    allowed: str
    default: Any = None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_words(value: Any) -> bool:
    return _are_texts(value) and bool(value)


def _is_switch(value: Any) -> bool:
    return value in ("off", "on")


def _is_inner(value: Any) -> bool:
    """Return whether `value` is a path that stays inside of what it is relative to."""
    return _is_text(value) and not value.startswith("/") and ".." not in value.split("/")


def _is_ref_name(value: Any) -> bool:
    return _is_text(value) and value.startswith("refs/heads/") and ".." not in value


_TEXT = _Member(_is_text, "a text")
_WORDS = _Member(_are_words, "a list of a program and its arguments")
_TOP = {
    "version": _Member(lambda value: value == 1 and type(value) is int, "1"),
    "owner": _TEXT,
    "harvest": _TEXT,
    "reads": _Member(_are_texts, "a list of BASE/NODE", []),
    "capture": _Member(_is_switch, "off or on", "off"),
    "titles": _Member(_is_switch, "off or on", "off"),
    "bases": _Member(lambda value: isinstance(value, dict) and bool(value), "a table of bases"),
}
_KINDS: Mapping[str, Mapping[str, _Member]] = {
    "directory": {"path": _TEXT},
    "git": {
        "repository": _TEXT,
        "root": _Member(_is_inner, "a path inside of the repository", "."),
        "accepted": _Member(_is_ref_name, "a branch: refs/heads/NAME"),
    },
    "command": {
        "node": _Member(lambda value: isinstance(value, str) and is_name(value), "a name"),
        "read": _WORDS,
        "write": _WORDS,
    },
}


def parse_bindings(text: bytes, folder: str, home: str) -> Bindings:
    """Return the bindings in `text`, a file in `folder`; `home` is what `~` is.

    Raises:
        CustodyError: `E_BINDINGS`, they can't be meant.
    """
    try:
        table = tomllib.loads(text.decode())
    except ValueError as error:  # no TOML, or no UTF-8
        raise _malformed(f"it is no TOML ({type(error).__name__})") from error
    top = _checked(table, _TOP, "the file")
    bases = {name: _base(name, entry, folder, home) for name, entry in top["bases"].items()}
    ids = [base.id for base in bases.values()]
    if len(set(ids)) < len(ids):
        raise _malformed("two bases have one id")
    found = Bindings(
        owner=top["owner"],
        harvest=_ref(top["harvest"]),
        reads=tuple(map(_ref, top["reads"])),
        capture=top["capture"],
        titles=top["titles"],
        bases=bases,
        digest=f"sha256:{hashlib.sha256(text).hexdigest()}",
    )
    for ref in (found.harvest, *found.reads):
        if ref.base not in bases:
            raise _malformed(f"`{ref}` names a base that isn't there")
    return found


def _base(name: str, entry: Any, folder: str, home: str) -> Binding:
    if not is_name(name) or not isinstance(entry, dict):
        raise _malformed("[bases.NAME] needs a name of letters, digits, `-` and `_`")
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise _malformed(f"[bases.{name}] kind must be directory, git or command")
    members = {"id": _TEXT, "kind": _TEXT, **_KINDS[kind]}
    values = _checked(entry, members, f"[bases.{name}]")
    del values["kind"]
    match kind:
        case "directory":
            path = _absolute(values.pop("path"), folder, home)
            return DirectoryBinding(name=name, path=path, **values)
        case "git":
            repository = _absolute(values.pop("repository"), folder, home)
            return GitBinding(name=name, repository=repository, **values)
        case _:
            read, write = (tuple(values.pop(each)) for each in ("read", "write"))
            return CommandBinding(name=name, read=read, write=write, **values)


def _checked(
    table: Mapping[str, Any], members: Mapping[str, _Member], place: str
) -> dict[str, Any]:
    unknown = [key for key in table if key not in members]
    if unknown:
        known = ", ".join(members)
        raise _malformed(f"{place} has an unknown key; known are: {known}")
    values = {key: table.get(key, member.default) for key, member in members.items()}
    for key, member in members.items():
        if not member.check(values[key]):
            raise _malformed(f"{place}: `{key}` must be {member.allowed}")
    return values


def _ref(text: str) -> Ref:
    try:
        return parse_ref(text)
    except CustodyError as error:
        raise _malformed(str(error)) from error


def _absolute(path: str, folder: str, home: str) -> str:
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return posixpath.normpath(posixpath.join(folder, path))


def _malformed(why: str) -> CustodyError:
    return CustodyError("E_BINDINGS", f"{why}; correct knowledge.toml")
