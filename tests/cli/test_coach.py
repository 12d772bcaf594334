"""The verb `coach`: it waits for the newest proposal, and a person sees that it does."""

import json
import signal
import subprocess

import pytest
from msgspec.structs import replace

from protocol import views
from protocol.errors import RpcError
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import PATIENCE_SECS, FakeDaemon, command
from tests.cli.samples import (
    ACTIVE,
    ASKED,
    IDLE,
    NO_PROPOSAL,
    PLANNING,
    PROPOSAL,
    PROPOSED,
)
from tests.cli.terminal import open_terminal

SHOWN = """\
proposal: write its first page (25m)
  done when: a friend has the page
  allowed: code, evince
begin with: antidrift start, or change it first: antidrift coach --edit
"""
HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"


@pytest.fixture
def thinking(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon whose coach has no answer yet when a client begins to watch."""
    daemon.state = ASKED
    return daemon


@pytest.mark.parametrize(
    ("args", "params"),
    [([], {}), (["write", "it"], {"intent": "write it"}), (["--", "-x"], {"intent": "-x"})],
)
def test_it_waits_for_the_proposal_and_says_what_to_do_next(
    thinking: FakeDaemon, antidrift: Antidrift, args: list[str], params: dict[str, str]
) -> None:
    thinking.publish_later(PROPOSED)

    assert antidrift("coach", *args) == (0, SHOWN, "")
    assert thinking.params("coach") == params
    assert thinking.methods() == ["coach", "watch"]


def test_a_proposal_that_came_before_it_could_watch_is_not_missed(
    thinking: FakeDaemon, antidrift: Antidrift
) -> None:
    thinking.answers["watch"] = PROPOSED

    assert antidrift("coach") == (0, SHOWN, "")


def test_other_news_does_not_end_the_wait(thinking: FakeDaemon, antidrift: Antidrift) -> None:
    thinking.answers["watch"] = replace(ASKED, notices=("the disk is full",))
    thinking.publish_later(PROPOSED)

    assert antidrift("coach") == (0, SHOWN, "")


def test_the_newest_proposal_is_shown_when_somebody_else_asked_again(
    thinking: FakeDaemon, antidrift: Antidrift
) -> None:
    thinking.answers["watch"] = replace(ASKED, intent="another plan")
    newest = replace(PROPOSAL, next_action="the newest")
    thinking.publish_later(
        replace(PROPOSED, intent="another plan", coach=views.Coach(status="ready", proposal=newest))
    )

    assert "proposal: the newest (25m)" in antidrift("coach")[1]


@pytest.mark.parametrize("after", [PLANNING, IDLE, ACTIVE], ids=lambda state: state.runtime)
def test_a_plan_that_is_left_or_changed_ends_the_wait(
    thinking: FakeDaemon, antidrift: Antidrift, after: views.State
) -> None:
    thinking.publish_later(after)
    code, out, err = antidrift("coach")

    assert (code, out) == (1, "")
    assert err == (
        "antidrift: the plan was changed before the coach answered; see: antidrift status\n"
    )


def test_a_coach_that_fails_is_one_line_and_exit_code_1(
    thinking: FakeDaemon, antidrift: Antidrift
) -> None:
    hostile = replace(NO_PROPOSAL, coach=views.Coach(status="error", error="no\x1b[2J\nlogin"))
    thinking.publish_later(hostile)
    assert antidrift("coach") == (1, "", "antidrift: no proposal: no\\x1b[2J\\x0alogin\n")
    thinking.answers["watch"] = NO_PROPOSAL
    code, out, err = antidrift("coach", "--json")

    assert (code, err) == (1, "")
    assert json.loads(out)["error"] == {
        "code": 1,
        "kind": "failed",
        "message": "no proposal: no login",
    }


def test_without_an_advisor_the_daemon_says_so(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["coach"] = RpcError("unavailable", "there is no advisor")

    assert antidrift("coach", "x") == (1, "", "antidrift: there is no advisor\n")


def test_as_json_it_prints_the_state_with_the_proposal_only(
    thinking: FakeDaemon, antidrift: Antidrift
) -> None:
    thinking.publish_later(PROPOSED)
    code, out, err = antidrift("coach", "--json")

    assert (code, err, out.count("\n")) == (0, "", 1)
    assert json.loads(out)["coach"]["proposal"]["next_action"] == PROPOSAL.next_action


def test_no_wait_returns_at_once(thinking: FakeDaemon, antidrift: Antidrift) -> None:
    assert antidrift("coach", "--no-wait", "write") == (
        0,
        ("planning: write the chapter; begin with: antidrift start\ncoach: asked, no answer yet\n"),
        "",
    )
    assert thinking.methods() == ["coach"]


def test_no_wait_and_edit_are_one_too_many(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    assert antidrift("coach", "--no-wait", "--edit")[0] == 2
    assert daemon.asked == []


def test_on_a_terminal_a_spinner_turns_until_the_answer_comes(thinking: FakeDaemon) -> None:
    with open_terminal(thinking, "coach", TERM="xterm") as terminal:
        terminal.wait_for(b"the coach is thinking")
        thinking.publish(PROPOSED)
        assert terminal.exit_code() == 0

    assert terminal.seen.index(HIDE_CURSOR) < terminal.seen.rindex(SHOW_CURSOR)
    assert b"proposal: write its first page" in terminal.seen.rpartition(SHOW_CURSOR)[2]


def test_ctrl_c_ends_the_wait_and_nothing_else(thinking: FakeDaemon) -> None:
    with open_terminal(thinking, "coach", TERM="xterm") as terminal:
        terminal.wait_for(b"the coach is thinking")
        assert terminal.interrupt() == 130

    assert thinking.methods() == ["coach", "watch"]
    assert SHOW_CURSOR in terminal.seen
    assert terminal.seen.rpartition(SHOW_CURSOR)[2].strip() in (b"", b"\x1b[2K", b"\x1b[1A\x1b[2K")


@pytest.mark.parametrize("flags", [["--json"], []], ids=str)
def test_as_json_or_into_a_pipe_there_is_no_spinner(thinking: FakeDaemon, flags: list[str]) -> None:
    """With a terminal on standard error, as after `antidrift coach | cat`."""
    with open_terminal(thinking, "coach", *flags, then="" if flags else "| cat") as terminal:
        thinking.wait_until_asked("watch")
        thinking.publish(PROPOSED)
        assert terminal.exit_code() == 0

    assert b"thinking" not in terminal.seen
    assert HIDE_CURSOR not in terminal.seen
    assert b"first page" in terminal.seen


def test_a_signal_while_it_waits_in_a_pipe_is_an_interruption(thinking: FakeDaemon) -> None:
    with subprocess.Popen(
        command("coach"), env=thinking.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        thinking.wait_until_asked("watch")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECS)

    assert (process.returncode, out, err) == (130, b"", b"")
