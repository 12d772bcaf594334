"""What knowledge.toml may say, and what a marker may."""

import pytest

from antidriftd.core.knowledge.bindings import (
    Bindings,
    CommandBinding,
    DirectoryBinding,
    GitBinding,
    parse_bindings,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.marker import parse_marker
from antidriftd.core.knowledge.refs import Ref, parse_ref

HEAD = 'version = 1\nowner = "o-1"\nharvest = "me/profile"\n'
ME = '[bases.me]\nid = "me-1"\nkind = "directory"\npath = "~/notes"\n'
GIT = """[bases.notes]
id = "n-1"
kind = "git"
repository = "../repo"
accepted = "refs/heads/main"
"""
COMMAND = """[bases.pkm]
id = "p-1"
kind = "command"
node = "focus"
read = ["am"]
write = ["am"]
"""


def parse(text: str) -> Bindings:
    return parse_bindings(text.encode(), "/etc/antidrift", "/home/ann")


def test_bindings_name_bases_of_every_kind() -> None:
    found = parse(HEAD + ME + GIT + COMMAND)

    assert found.bases == {
        "me": DirectoryBinding(name="me", id="me-1", path="/home/ann/notes"),
        "notes": GitBinding(
            name="notes", id="n-1", repository="/etc/repo", root=".", accepted="refs/heads/main"
        ),
        "pkm": CommandBinding(name="pkm", id="p-1", node="focus", read=("am",), write=("am",)),
    }
    assert (found.harvest, found.reads) == (Ref("me", "profile"), ())
    assert (found.capture, found.titles) == ("off", "off")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "version",
        HEAD,
        HEAD + ME + "surprise = 1\n",
        "surprise = 1\n" + HEAD + ME,
        HEAD.replace("1", "2", 1) + ME,
        HEAD.replace("version = 1", "version = true") + ME,
        HEAD + "capture = true\n" + ME,
        HEAD + 'reads = ["elsewhere/x"]\n' + ME,
        HEAD + 'reads = ["x"]\n' + ME,
        HEAD.replace("me/", "you/") + ME,
        HEAD + ME.replace("directory", "cloud"),
        HEAD + ME.replace("[bases.me]", '[bases."a b"]'),
        HEAD + ME + ME.replace("bases.me", "bases.two"),
        HEAD + ME + GIT.replace("refs/heads/main", "HEAD"),
        HEAD + ME + GIT + 'root = "../out"\n',
        HEAD + ME + GIT + 'root = "/out"\n',
        HEAD + ME + COMMAND.replace('["am"]', '"am get"', 1),
        HEAD + ME + COMMAND.replace('["am"]', "[]", 1),
        HEAD + ME + COMMAND.replace("focus", "../x"),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(CustodyError, match=r"\AE_BINDINGS: [^\n]+\Z"):
        parse(text)


def test_a_command_base_is_one_node() -> None:
    found = parse(HEAD + ME + COMMAND)

    assert found.base_of(Ref("pkm", "focus")).name == "pkm"
    with pytest.raises(CustodyError, match="E_NODE"):
        found.base_of(Ref("pkm", "other"))
    with pytest.raises(CustodyError, match="E_BASE"):
        found.base_of(Ref("nowhere", "x"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("version = 1", "E_IDENTITY"),
        ("version = 2\nid = 'x'", "E_IDENTITY"),
        ("version = 1\nid = 'x'\nmore = 1", "E_IDENTITY"),
        ("version = 1\nid = 'x'\n[nodes.a]\nfile = 'a.md'", "E_IDENTITY"),
        ("version = 1\nid = 'x'\n[nodes.a]\nfile = '../a.md'\nowner = 'o'", "E_PATH"),
        ("version = 1\nid = 'x'\n[nodes.a]\nfile = '/a.md'\nowner = 'o'", "E_PATH"),
        ("version = 1\nid = 'x'\n[nodes.a]\nfile = 'b/./a.md'\nowner = 'o'", "E_PATH"),
        ("\xff", "E_IDENTITY"),
    ],
)
def test_a_marker_that_cannot_be_meant_is_refused(text: str, code: str) -> None:
    with pytest.raises(CustodyError, match=code):
        parse_marker(text.encode("latin-1"))


@pytest.mark.parametrize("text", ["", "me", "me/", "/x", "a/b/c", "a b/c", "../x", "a/..", "a/b\n"])
def test_what_names_no_node_is_refused(text: str) -> None:
    with pytest.raises(CustodyError, match="E_NODE"):
        parse_ref(f"node:{text}")
