"""Local matching, with the tables of the design it came from."""

import pytest

from antidriftd.core.drift.matching import (
    command_allowed,
    domain_allowed,
    is_allowed,
    page_allowed,
    window_class_allowed,
    window_title_allowed,
)
from antidriftd.core.model import Window
from tests.builders import allowing


@pytest.mark.parametrize(
    ("allowed", "window_class", "expected"),
    [
        (["code"], "code", True),
        (["code"], "Code", True),
        (["CODE"], "code", True),
        (["STRASSE"], "straße", True),
        (["  code "], " code  ", True),
        (["emacs", "code"], "code", True),
        (["code"], "code-insiders", False),
        (["code-insiders"], "code", False),
        (["code"], "", False),
        ([""], "", False),
        (["  "], " ", False),
        ([], "code", False),
    ],
)
def test_a_class_matches_whole_trimmed_and_casefolded(
    allowed: list[str], window_class: str, expected: bool
) -> None:
    assert window_class_allowed(allowed, window_class) is expected


@pytest.mark.parametrize(
    ("allowed", "title", "expected"),
    [
        (["report"], "Annual Report - Writer", True),
        (["  Report "], "annual report", True),
        (["report", "budget"], "Budget 2027", True),
        (["annual report"], "Annual Re port", False),
        (["annual report"], "report", False),
        (["MASSE"], "die Maße", True),
        ([""], "anything", False),
        (["  "], "any thing", False),
        (["report"], "", False),
        ([], "report", False),
    ],
)
def test_a_title_matches_as_a_casefolded_substring(
    allowed: list[str], title: str, expected: bool
) -> None:
    assert window_title_allowed(allowed, title) is expected


@pytest.mark.parametrize(
    ("allowed", "domain", "expected"),
    [
        (["github.com"], "github.com", True),
        (["github.com"], "docs.github.com", True),
        (["github.com"], "a.b.github.com", True),
        (["github.com"], "GitHub.COM.", True),
        ([" GitHub.com. "], "  docs.github.com ", True),
        (["github.com"], "notgithub.com", False),
        (["github.com"], "github.com.evil.org", False),
        (["docs.github.com"], "github.com", False),
        (["com"], "github.com", True),
        ([""], "github.com", False),
        (["."], "github.com", False),
        (["github.com"], "", False),
        (["github.com"], ".", False),
        (["", "."], ".", False),
        ([], "github.com", False),
    ],
)
def test_a_domain_matches_itself_and_its_subdomains(
    allowed: list[str], domain: str, expected: bool
) -> None:
    assert domain_allowed(allowed, domain) is expected


@pytest.mark.parametrize(
    ("allowed", "command", "expected"),
    [
        (["cargo"], "cargo", True),
        (["cargo"], "/usr/bin/cargo", True),
        (["/opt/bin/Cargo"], "cargo", True),
        (["cargo"], " CARGO ", True),
        (["cargo"], "cargo-clippy", False),
        (["cargo"], "/usr/bin/cargo/", False),
        ([""], "cargo", False),
        (["", "/"], "/", False),
        (["cargo"], "", False),
        ([], "cargo", False),
    ],
)
def test_a_command_matches_by_its_base_name(
    allowed: list[str], command: str, expected: bool
) -> None:
    assert command_allowed(allowed, command) is expected


@pytest.mark.parametrize(
    ("allowed", "page", "expected"),
    [
        (["=pull requests"], "pull requests", True),
        (["=Pull Requests"], "pull requests", True),
        (["pull requests"], "pull requests", False),
        (["=pull"], "pull requests", False),
        (["="], "", False),
        ([], "pull requests", False),
    ],
)
def test_a_page_matches_whole(allowed: list[str], page: str, expected: bool) -> None:
    assert page_allowed(allowed, page) is expected


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Window("code", "cats"), True),
        (Window("mpv", "the report"), True),
        (Window("code", "the report"), True),
        (Window("mpv", "cats"), False),
    ],
)
def test_a_window_is_allowed_by_its_class_or_its_title(window: Window, expected: bool) -> None:
    assert is_allowed(allowing("code", titles=("report",)), window, None) is expected


def test_a_window_is_allowed_by_its_instance() -> None:
    window = Window("Element", "", "element-desktop")

    assert is_allowed(allowing("element-desktop"), window, None)


def test_a_page_is_allowed_only_in_a_many_faced_program() -> None:
    allowed = allowing(titles=("=the report",))

    assert is_allowed(allowed, Window("firefox", "The Report"), "the report")
    assert not is_allowed(allowed, Window("mpv", "The Report"), None)


def test_an_allowed_class_is_no_allowed_title() -> None:
    assert not is_allowed(allowing("code"), Window("mpv", "code"), None)
    assert not is_allowed(allowing(titles=("code",)), Window("code", "mpv"), None)


def test_nothing_is_allowed_by_an_empty_context() -> None:
    assert not is_allowed((), Window("", ""), "")
