"""The verb `knowledge-path`: which profile is in force, and what became of it."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import INFO, FakeDaemon
from tests.cli.samples import IDLE, PLANNING, ProfileStatus, grounded


@pytest.fixture
def home(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home directory, which we stand in, of somebody whose daemon has a profile by default."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    daemon.info = replace(INFO, knowledge_path="~/.antidrift/knowledge.md")
    return tmp_path


def test_bare_it_prints_the_path_for_other_programs(
    daemon: FakeDaemon, home: Path, antidrift: Antidrift
) -> None:
    path = f"{home}/.antidrift/knowledge.md"

    assert antidrift("knowledge-path") == (0, f"{path}\n", "")
    daemon.state = grounded("absent", path)
    assert antidrift("knowledge-path") == (
        0,
        f"{path}\n",
        "no profile (~/.antidrift/knowledge.md)\n",
    )


def test_bare_as_json_it_is_the_info(daemon: FakeDaemon, home: Path, antidrift: Antidrift) -> None:
    code, out, _ = antidrift("knowledge-path", "--json")

    assert code == 0
    assert json.loads(out)["knowledge_path"] == "~/.antidrift/knowledge.md"


def test_a_daemon_that_reads_no_profile_says_so(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    code, out, err = antidrift("knowledge-path")

    assert (code, out) == (1, "")
    assert "knowledge.enabled" in err


@pytest.mark.parametrize("typed", ["me.md", "~/me.md"])
def test_a_path_is_sent_absolute(
    daemon: FakeDaemon, home: Path, antidrift: Antidrift, typed: str
) -> None:
    daemon.state = IDLE

    assert antidrift("knowledge-path", typed) == (
        0,
        "profile: ~/me.md\nit is read when planning begins\n",
        "there is no such file yet\n",
    )
    assert daemon.params("knowledge_path") == {"path": f"{home}/me.md"}


def test_of_a_path_that_is_there_nothing_is_said(
    daemon: FakeDaemon, home: Path, antidrift: Antidrift
) -> None:
    (home / "me.md").touch()

    assert antidrift("knowledge-path", "~/me.md")[2] == ""
    assert antidrift("knowledge-path", "node:profile")[2] == ""


def test_reset_takes_the_default(daemon: FakeDaemon, home: Path, antidrift: Antidrift) -> None:
    _, out, _ = antidrift("knowledge-path", "--reset")

    assert out.splitlines()[0] == "profile: the default"
    assert daemon.params("knowledge_path") == {"path": ""}


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("ready", "grounded by me.md"),
        ("absent", "no profile (~/me.md)"),
        ("error", "profile unreadable"),
    ],
)
def test_in_planning_it_waits_and_tells_whether_a_profile_was_found(
    daemon: FakeDaemon, home: Path, antidrift: Antidrift, status: ProfileStatus, found: str
) -> None:
    daemon.state = grounded("pending", "")
    daemon.publish_later(grounded(status, f"{home}/me.md"))

    assert antidrift("knowledge-path", "me.md") == (0, f"profile: ~/me.md\n{found}\n", "")


def test_in_planning_without_profiles_it_says_that_none_is_read(
    daemon: FakeDaemon, home: Path, antidrift: Antidrift
) -> None:
    daemon.state = PLANNING
    _, out, _ = antidrift("knowledge-path", "me.md")

    assert out.splitlines()[1].startswith("it is not read: knowledge.enabled")


@pytest.mark.parametrize("args", [["me.md", "--reset"], [""]], ids=str)
def test_what_cannot_be_meant_is_refused(
    daemon: FakeDaemon, antidrift: Antidrift, args: list[str]
) -> None:
    assert antidrift("knowledge-path", *args)[0] == 2
    assert daemon.asked == []
