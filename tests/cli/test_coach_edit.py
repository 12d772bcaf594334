"""`coach --edit`: the editor, what it leaves behind, and that nothing which was typed is lost."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from antidrift_cli.contract_text import contract_text
from protocol import views
from protocol.errors import RpcError
from tests.cli.conftest import Antidrift
from tests.cli.editing import KEPT, STARTED, Editor, assert_kept, contract, writing
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import ASKED, PLANNING, PROPOSAL, PROPOSED


def test_what_was_written_is_started(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor(writing(contract(done_when="it reads well", allowed_classes="gimp")))
    code, out, err = antidrift("coach", "--edit")

    assert (code, err) == (0, "")
    assert out.startswith(STARTED)
    assert daemon.params("start") == {
        "next_action": "edit",
        "success_condition": "it reads well",
        "timebox_secs": 3000,
        "allowed_window_classes": ["gimp"],
    }
    assert list(drafts.iterdir()) == []


def test_what_was_emptied_does_not_come_from_the_proposal_after_all(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor(writing(contract()))
    antidrift("coach", "--edit")

    assert daemon.params("start")["success_condition"] == ""
    assert daemon.params("start")["allowed_window_classes"] == []


def test_the_editor_gets_the_proposal_in_a_private_file(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor, tmp_path: Path
) -> None:
    editor(f'cp "$1" {tmp_path}/seen; stat -c %a "$1" "$(dirname "$1")" > {tmp_path}/modes')
    code, _, _ = antidrift("coach", "--edit")

    assert code == 0
    assert (tmp_path / "seen").read_text() == contract_text(PROPOSAL)
    assert (tmp_path / "modes").read_text().split() == ["600", "700"]
    assert daemon.params("start")["next_action"] == PROPOSAL.next_action


@pytest.mark.parametrize(
    ("args", "state", "asks"),
    [
        ([], PROPOSED, False),
        ([], ASKED, False),
        ([], PLANNING, True),
        (["write", "it"], PROPOSED, True),
    ],
    ids=["ready", "under way", "not asked", "with an intent"],
)
def test_a_proposal_that_is_there_or_on_its_way_is_not_asked_for_again(
    daemon: FakeDaemon,
    antidrift: Antidrift,
    editor: Editor,
    args: list[str],
    state: views.State,
    asks: bool,
) -> None:
    editor(":")
    daemon.state = state
    daemon.answers["coach"] = ASKED
    daemon.answers["watch"] = PROPOSED

    assert antidrift("coach", "--edit", *args)[0] == 0
    assert ("coach" in daemon.methods()) == asks


@pytest.mark.parametrize(
    "script", [': > "$1"', 'rm "$1"', writing("# nothing but a remark\n\n")], ids=str
)
def test_an_emptied_file_cancels(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor, script: str
) -> None:
    editor(script)
    code, out, err = antidrift("coach", "--edit")

    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "nothing was started" in err
    assert "start" not in daemon.methods()
    assert list(drafts.iterdir()) == []


def test_an_editor_that_fails_cancels(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor("exit 3")
    code, out, err = antidrift("coach", "--edit")

    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "ended with 3" in err
    assert "start" not in daemon.methods()
    assert list(drafts.iterdir()) == []


def test_an_editor_that_crashes_after_saving_loses_nothing(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor(writing(contract()) + "; kill -SEGV $$")
    code, _, err = antidrift("coach", "--edit")

    assert code == 1
    assert "start" not in daemon.methods()
    assert_kept(err, contract())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (contract(timebox="soon"), "antidrift: `timebox`: 'soon' is no length of time"),
        ("dear diary", "antidrift: line 1 must begin with one of: next action"),
    ],
)
def test_a_mistake_is_told_and_the_text_is_kept(
    daemon: FakeDaemon,
    antidrift: Antidrift,
    drafts: Path,
    editor: Editor,
    text: str,
    complaint: str,
) -> None:
    editor(writing(text))
    code, out, err = antidrift("coach", "--edit")

    assert (code, out) == (2, "")
    assert complaint in err
    assert "start" not in daemon.methods()
    assert_kept(err, text)


def test_text_that_is_not_utf8_is_a_mistake_too(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor("printf 'next action: \\351t\\351\\n' > \"$1\"")
    code, _, err = antidrift("coach", "--edit")

    assert code == 2
    assert "isn't UTF-8" in err
    match = KEPT.search(err)
    assert match
    assert Path(match[1]).read_bytes() == b"next action: \xe9t\xe9\n"


@pytest.mark.parametrize("kind", ["invalid_value", "wrong_state"])
def test_what_the_daemon_refuses_is_kept(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor, kind: str
) -> None:
    editor(writing(contract()))
    refusal = RpcError("invalid_value", "no") if kind == "invalid_value" else None
    daemon.answers["start"] = refusal or RpcError("wrong_state", "no")
    code, out, err = antidrift("coach", "--edit", "--json")

    assert code == 1
    assert json.loads(out)["error"]["kind"] == kind
    assert_kept(err, contract())


def test_what_was_written_outlives_the_daemon(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor(writing(contract()) + f"; rm {daemon.path}")
    code, _, err = antidrift("coach", "--edit")

    assert code == 3
    assert_kept(err, contract())


def test_foreign_text_reaches_the_file_and_the_screen_only_made_visible(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor, tmp_path: Path
) -> None:
    hostile = "a\x1b[2J\u202e\nnext action: forged"
    proposal = replace(PROPOSAL, next_action=hostile, success_condition=hostile)
    daemon.state = replace(PROPOSED, coach=views.Coach(status="ready", proposal=proposal))
    editor(f'cp "$1" {tmp_path}/seen')
    antidrift("coach", "--edit")

    shown = r"a\x1b[2J\u202e\x0anext action: forged"
    assert daemon.params("start")["next_action"] == shown
    assert f"\ndone when: {shown}\n" in (tmp_path / "seen").read_text()


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({"VISUAL": "one", "EDITOR": "two"}, "one"),
        ({"VISUAL": " ", "EDITOR": "two"}, "two"),
        ({"VISUAL": "", "EDITOR": ""}, "vi"),
    ],
)
def test_the_editor_is_visual_then_editor_then_vi(
    daemon: FakeDaemon,
    antidrift: Antidrift,
    drafts: Path,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    chosen: str,
) -> None:
    """None of the three is there, so that the complaint tells which was tried."""
    for name, value in {**variables, "PATH": str(drafts)}.items():
        monkeypatch.setenv(name, value)
    code, out, err = antidrift("coach", "--edit")

    assert (code, out, err.count("\n")) == (1, "", 1)
    assert f"the editor {chosen} can't be started" in err
    assert list(drafts.iterdir()) == []


def test_the_editors_command_is_split_as_a_shell_does_but_sees_none(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor, tmp_path: Path
) -> None:
    command = editor(f'printf "%s\\n" "$1" "$2" > {tmp_path}/arguments; exit 1')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EDITOR", f"{command} 'a b' $(true);")
        antidrift("coach", "--edit")

    assert (tmp_path / "arguments").read_text().splitlines() == ["a b", "$(true);"]


def test_a_command_that_cannot_be_split_is_told(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "vi 'x")
    code, _, err = antidrift("coach", "--edit")

    assert code == 1
    assert "EDITOR can't be split" in err


def test_a_disk_that_takes_no_draft_is_told(
    daemon: FakeDaemon, antidrift: Antidrift, drafts: Path, editor: Editor
) -> None:
    editor(":")
    drafts.rmdir()
    code, _, err = antidrift("coach", "--edit")

    assert code == 1
    assert "no file to edit can be made" in err
