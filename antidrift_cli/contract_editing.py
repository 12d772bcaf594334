"""Starting a session with a contract that the person has edited."""

from antidrift_cli.asking import can_ask, confirm
from antidrift_cli.client import Reply
from antidrift_cli.contract_text import contract_text, is_empty, parse_contract
from antidrift_cli.draft import Draft, open_draft
from antidrift_cli.errors import BadInput, CliError, Failed, Refused
from antidrift_cli.output import say_aside
from antidrift_cli.verb import ask
from antidrift_cli.visible import cut
from protocol.views import Proposal

_MESSAGE_COLUMNS = 400


def start_edited(proposal: Proposal) -> Reply:
    """Open `proposal` in an editor, and return the State once a session has started with it.

    Raises:
        CliError: it was cancelled, or what was written is no contract; it has not started then.
    """
    with open_draft(contract_text(proposal)) as draft:
        reply = _started(draft)
    if reply is None:
        raise Failed("nothing was started: the contract was emptied; the plan is as it was")
    return reply


def _started(draft: Draft) -> Reply | None:
    while True:
        try:
            text = draft.edit()
            return None if is_empty(text) else ask("start", parse_contract(text))
        except (BadInput, Refused) as error:
            if not _will_mend(error):
                raise


def _will_mend(error: CliError) -> bool:
    """Return whether the person goes back to the editor to put something right."""
    is_mistake = isinstance(error, BadInput) or error.kind == "invalid_value"
    if not is_mistake or not can_ask():
        return False
    say_aside([f"antidrift: {cut(str(error), _MESSAGE_COLUMNS)}"])
    return confirm("Edit it again")
