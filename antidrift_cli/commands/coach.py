"""The verb `coach`: asks for a proposal, and starts with it once it has been edited."""

from antidrift_cli.client import Reply
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.errors import Failed, misused
from antidrift_cli.render import phase_line, started_lines
from antidrift_cli.render_planning import coach_lines
from antidrift_cli.verb import ask, joined, report
from antidrift_cli.waiting import wait_for
from protocol.methods import CoachParams
from protocol.views import Proposal, State

_WHAT_NEXT = "begin with: antidrift start, or change it first: antidrift coach --edit"


@verb(
    argument("words", nargs=-1, metavar="[INTENT]..."),
    option("--no-wait", is_flag=True, help="Only ask; `antidrift status` shows the answer."),
    option(
        "--edit", is_flag=True, help="Open the proposal in $VISUAL or $EDITOR, then start with it."
    ),
    examples=[
        "antidrift coach write the introduction",
        "antidrift coach --edit",
        'antidrift coach --no-wait "fix issue #12"',
    ],
)
def coach(
    words: tuple[str, ...] = (), *, no_wait: bool = False, edit: bool = False, as_json: bool = False
) -> None:
    """Ask the coach what to do next: a next action, its end, how long.

    It proposes, and starts nothing. The built-in coach (ai.backend local) makes the contract of
    your own words; the other backends think one up. With --edit and no INTENT, a proposal that is
    there already is opened. Ctrl-C stops the waiting and leaves the plan as it is.
    """
    if no_wait and edit:
        raise misused("antidrift coach", "give --no-wait or --edit, not both")
    params = CoachParams(intent=joined(words))
    if no_wait:
        reply = ask("coach", params)
        report(reply, [phase_line(reply.state), *coach_lines(reply.state)], as_json=as_json)
        return
    is_there = edit and not words and _is_asked(ask("state").state)
    reply = _answered("state" if is_there else "coach", params, quiet=as_json)
    proposal = _proposal_of(reply.state)
    if edit:
        from antidrift_cli.contract_editing import start_edited  # here, as few runs need it

        reply = start_edited(proposal)
        report(reply, started_lines(reply.state), as_json=as_json)
    else:
        report(reply, [*coach_lines(reply.state), _WHAT_NEXT], as_json=as_json)


def _answered(method: str, params: CoachParams, *, quiet: bool) -> Reply:
    """Return the State in which the coach has answered the newest question, whoever asked it."""
    return wait_for(method, params, _is_pending, doing="the coach is thinking", quiet=quiet)


def _is_asked(state: State) -> bool:
    return state.coach is not None and state.coach.status in ("pending", "ready")


def _is_pending(state: State) -> bool:
    return state.coach is not None and state.coach.status == "pending"


def _proposal_of(state: State) -> Proposal:
    if state.coach and state.coach.proposal:
        return state.coach.proposal
    if state.coach and state.coach.status == "error":
        raise Failed(f"no proposal: {state.coach.error or 'no reason given'}")
    raise Failed("the plan was changed before the coach answered; see: antidrift status")
