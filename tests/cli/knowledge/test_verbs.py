"""The custody verbs on the command line: what they print, and how they fail."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

from antidriftd.core.knowledge.bindings import DirectoryBinding, GitBinding, parse_bindings
from antidriftd.core.knowledge.marker import parse_marker
from protocol.errors import RpcError
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon

PLACE = ("knowledge", "init", "--base", "me", "--node", "profile", "--file", "knowledge.md")


@pytest.fixture
def home(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory, and a daemon."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def bindings(home: Path) -> Path:
    return home / ".config" / "antidrift" / "knowledge.toml"


def test_init_makes_what_the_daemon_can_read(home: Path, antidrift: Antidrift) -> None:
    odd = home / 'it"s a \\ place'
    odd.mkdir()
    code, out, err = antidrift(*PLACE, "--directory", str(odd))

    assert (code, out) == (0, "")
    assert 'capture = "on"' in err
    found = parse_bindings(bindings(home).read_bytes(), str(home), str(home))
    marker = parse_marker((odd / "antidrift-base.toml").read_bytes())
    base = found.bases["me"]
    assert isinstance(base, DirectoryBinding)
    assert (base.path, base.id) == (str(odd), marker.id)
    assert (found.capture, found.titles) == ("off", "off")
    assert marker.nodes["profile"].owner == found.owner
    assert [path.name for path in odd.iterdir()] == ["antidrift-base.toml"]
    assert bindings(home).stat().st_mode & 0o777 == 0o600


def test_init_prints_the_marker_that_git_is_to_have(home: Path, antidrift: Antidrift) -> None:
    repository = home / "notes"
    repository.mkdir()
    code, out, err = antidrift(*PLACE, "--repository", str(repository), "--root", "antidrift")

    assert code == 0
    found = parse_bindings(bindings(home).read_bytes(), str(home), str(home))
    base = found.bases["me"]
    assert isinstance(base, GitBinding)
    assert (base.root, base.accepted) == ("antidrift", "refs/heads/main")
    assert parse_marker(out.encode()).id == base.id
    assert "commit this as antidrift/antidrift-base.toml" in err
    assert list(repository.iterdir()) == []


@pytest.mark.parametrize("taken", ["bindings", "marker"])
def test_init_writes_over_nothing(home: Path, antidrift: Antidrift, taken: str) -> None:
    base = home / ".antidrift"
    base.mkdir()
    path = bindings(home) if taken == "bindings" else base / "antidrift-base.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine\n")
    code, out, err = antidrift(*PLACE, "--directory", str(base))

    assert (code, out) == (5, "")
    assert err.startswith("antidrift: E_")
    assert path.read_text() == "mine\n"
    written = [each for each in home.rglob("*.toml") if each != path]
    assert written == []


def test_a_refusal_of_custody_is_exit_code_5(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    message = "E_OWNER: node me/profile belongs to o-77, bindings say o-5f; fix the binding"
    daemon.answers["capture"] = RpcError("custody", message, "idle")
    code, out, err = antidrift("capture", "a", "thought")

    assert (code, out, err) == (5, "", f"antidrift: {message}\n")


def test_why_of_a_line_that_nobody_knows_is_exit_code_5(home: Path, antidrift: Antidrift) -> None:
    code, _, err = antidrift("knowledge", "why", "k:9c41e2a0")

    assert code == 5
    assert err.startswith("antidrift: E_INPUT: ")


def run_of(home: Path, text: str) -> None:
    """Write a run whose proposal adds a line."""
    folder = home / ".local" / "share" / "antidrift" / "knowledge" / "runs" / "r-1"
    folder.mkdir(parents=True)
    claim = {"inputs": ["ab" * 32], "destination": {"ref": "me/profile", "kind": "directory"}}
    run = {"run": "r-1", "state": "proposed", "began": "2026-11-30T10:00:00Z", "claim": claim}
    line = f"- {text} <!-- k:9c41e2a0.1 2026-11-30 -->"
    operation = {"verdict": "promote", "candidate": "abababab:0", "id": "k:9c41e2a0"}
    proposal = {
        "run": "r-1",
        "before": b"me\n",
        "after": b"me\n" + line.encode() + b"\n",
        "operations": [{**operation, "revision": 1, "line": line}],
        "outcomes": [
            {"candidate": "abababab:0", "verdict": "promote", "code": "durable", "reason": text}
        ],
    }
    (folder / "run.json").write_bytes(msgspec.json.encode(run))
    (folder / "proposal.json").write_bytes(msgspec.json.encode(proposal))


def test_what_an_ai_wrote_is_made_visible(home: Path, antidrift: Antidrift) -> None:
    run_of(home, "Mail\x1b[31m\u202e last.")
    for verb in (("harvest", "show", "r-1"), ("knowledge", "why", "k:9c41e2a0")):
        code, out, _ = antidrift(*verb)
        assert code == 0
        assert "Mail" in out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_runs_and_proposals_are_read_without_a_daemon(
    home: Path, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTIDRIFT_SOCKET", "/nowhere/a.sock")
    run_of(home, "Mail is last.")
    listed = antidrift("harvest", "list")
    shown = antidrift("harvest", "show", "r-1", "--json")

    assert listed[1].startswith("r-1  2026-11-30T10:00:00Z  proposed")
    assert json.loads(shown[1])["run"]["state"] == "proposed"
    assert antidrift("harvest", "show", "r-2")[0] == 5


def test_show_opens_the_default_profile_without_a_daemon(
    home: Path, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTIDRIFT_SOCKET", "/nowhere/a.sock")
    assert "there is no profile yet" in antidrift("knowledge", "show")[2]
    (home / ".antidrift").mkdir()
    (home / ".antidrift" / "knowledge.md").write_text("x" * 7000)
    code, out, err = antidrift("knowledge", "show")

    assert (code, out) == (0, "x" * 7000 + "\n")
    assert "7000 bytes, cut" in err
    assert "config.toml may name another" in err
    assert json.loads(antidrift("knowledge", "show", "--json")[1])["cut"] is True


def test_the_example_in_the_page_can_be_meant() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "knowledge.md").read_text()
    examples = [each.partition("```")[0] for each in page.split("```toml\n")[1:]]
    found = parse_bindings(examples[0].encode(), "/", "/home/ann")

    assert set(found.bases) == {"me", "notes", "pkm"}
    assert parse_marker(examples[1].encode()).id == found.bases["me"].id
    assert tomllib.loads(examples[1])["version"] == 1


@pytest.mark.parametrize(
    "args", [("harvest", "--json", "list"), ("knowledge", "--json", "show")], ids=" ".join
)
def test_a_flag_before_the_verb_of_a_group_is_the_verbs(
    home: Path, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    monkeypatch.setenv("ANTIDRIFT_SOCKET", "/nowhere/a.sock")
    group, flag, verb = args
    before, after = antidrift(*args), antidrift(group, verb, flag)

    assert before == after
    assert isinstance(json.loads(before[1]), dict)
