"""`coach --edit` on a terminal: a mistake can be mended, and Ctrl-C is the editor's."""

from pathlib import Path

import pytest

from protocol.errors import RpcError
from tests.cli.editing import STARTED, Editor, assert_kept, contract, writing
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import ACTIVE
from tests.cli.terminal import open_terminal


def test_a_mistake_can_be_put_right(
    daemon: FakeDaemon, drafts: Path, editor: Editor, tmp_path: Path
) -> None:
    """The editor finds what was written, and this time it replaces the word."""
    command = editor(
        f'if grep -q soon "$1"; then sed -i s/soon/9m/ "$1"; '
        f"else {writing(contract(timebox='soon'))}; fi"
    )
    with open_terminal(daemon, "coach", "--edit", EDITOR=command, TMPDIR=str(drafts)) as terminal:
        terminal.wait_for(b"'soon' is no length of time")
        terminal.wait_for(b"Edit it again [Y/n]")
        terminal.type(b"\n")
        terminal.wait_for(STARTED.encode())
        assert terminal.exit_code() == 0

    assert daemon.params("start")["timebox_secs"] == 540
    assert list(drafts.iterdir()) == []


def test_what_the_daemon_finds_wrong_can_be_put_right_too(
    daemon: FakeDaemon, drafts: Path, editor: Editor
) -> None:
    daemon.answers["start"] = RpcError("invalid_value", "the next action is too long")
    command = editor(":")
    with open_terminal(daemon, "coach", "--edit", EDITOR=command, TMPDIR=str(drafts)) as terminal:
        terminal.wait_for(b"the next action is too long")
        terminal.wait_for(b"Edit it again [Y/n]")
        daemon.answers["start"] = ACTIVE
        terminal.type(b"y\n")
        terminal.wait_for(STARTED.encode())


@pytest.mark.parametrize("answer", [b"n\n", b"\x03"], ids=["no", "Ctrl-C"])
def test_who_gives_up_keeps_the_text(
    daemon: FakeDaemon, drafts: Path, editor: Editor, answer: bytes
) -> None:
    command = editor(writing("dear diary"))
    with open_terminal(daemon, "coach", "--edit", EDITOR=command, TMPDIR=str(drafts)) as terminal:
        terminal.wait_for(b"Edit it again [Y/n]")
        if answer == b"\x03":
            assert terminal.interrupt() == 130
        else:
            terminal.type(answer)
            assert terminal.exit_code() == 2

    assert_kept(terminal.seen.decode(), "dear diary")
    assert "start" not in daemon.methods()


def test_ctrl_c_belongs_to_the_editor(
    daemon: FakeDaemon, drafts: Path, editor: Editor, tmp_path: Path
) -> None:
    """It reaches the editor, as a shell's `trap` shows, and does not end the client."""
    command = editor(
        f"trap 'echo heard' INT; echo ready; while ! [ -e {tmp_path}/done ]; do sleep 0.1; done; :"
    )
    with open_terminal(daemon, "coach", "--edit", EDITOR=command, TMPDIR=str(drafts)) as terminal:
        terminal.wait_for(b"ready")
        terminal.type(b"\x03")
        terminal.wait_for(b"heard")
        (tmp_path / "done").touch()
        terminal.wait_for(STARTED.encode())
        assert terminal.exit_code() == 0
