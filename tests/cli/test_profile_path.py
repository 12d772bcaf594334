"""The path of the profile: absolute for the daemon, short for the person."""

import os
from pathlib import Path

import pytest

from antidrift_cli.errors import BadInput
from antidrift_cli.profile_path import absolute, with_tilde


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home directory, with the working directory inside it."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("me.md", "here/me.md"),
        ("./me.md", "here/me.md"),
        ("../me.md", "here/../me.md"),
        ("~/me.md", "me.md"),
        ("a b/~/é.md", "here/a b/~/é.md"),
    ],
)
def test_a_path_is_seen_from_where_it_was_typed(home: Path, typed: str, meant: str) -> None:
    assert absolute(typed) == f"{home}/{meant}"


def test_an_absolute_path_stays() -> None:
    assert absolute("/etc/me.md") == "/etc/me.md"


@pytest.mark.parametrize("typed", ["", "~nobody-of-that-name/me.md"])
def test_a_path_that_means_nothing_is_refused(typed: str) -> None:
    with pytest.raises(BadInput):
        absolute(typed)


def test_a_working_directory_that_is_gone_is_told(home: Path) -> None:
    Path.cwd().rmdir()
    try:
        with pytest.raises(BadInput):
            absolute("me.md")
    finally:
        os.chdir(home)


@pytest.mark.parametrize(
    ("path", "home", "shown"),
    [
        ("/home/ann/me.md", "/home/ann", "~/me.md"),
        ("/home/ann/me.md", "/home/ann/", "~/me.md"),
        ("/home/ann/home/ann/me.md", "/home/ann", "~/home/ann/me.md"),
        ("/home/anna/me.md", "/home/ann", "/home/anna/me.md"),
        ("/me.md", "/", "/me.md"),
        ("/me.md", "", "/me.md"),
    ],
)
def test_the_home_directory_is_shown_as_a_tilde(
    monkeypatch: pytest.MonkeyPatch, path: str, home: str, shown: str
) -> None:
    monkeypatch.setenv("HOME", home)

    assert with_tilde(path) == shown


def test_without_a_home_nothing_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")

    assert with_tilde("/home/ann/me.md") == "/home/ann/me.md"
