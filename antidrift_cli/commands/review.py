"""The verb `review`: closes the review of a session."""

from antidrift_cli.asking import ask_choice, ask_text, can_ask
from antidrift_cli.declaring import option, verb
from antidrift_cli.verb import ask, report
from protocol.methods import Outcome, ReviewParams

OUTCOMES: tuple[Outcome, ...] = ("done", "partial", "dropped")


@verb(
    option("--outcome", choices=OUTCOMES, help="How it went."),
    option("--note", help="What to remember."),
    examples=[
        "antidrift review",
        'antidrift review --outcome partial --note "the second half needs data"',
    ],
)
def review(
    *, outcome: Outcome | None = None, note: str | None = None, as_json: bool = False
) -> None:
    """Say how the session went, and close it; bare on a terminal, it asks."""
    bare = outcome is None and note is None and not as_json
    if bare and can_ask() and ask("state").state.runtime == "review":
        outcome, note = _asked()
    reply = ask("review", ReviewParams(outcome=outcome, note=note))
    report(reply, [f"review closed: {outcome or 'no outcome given'}"], as_json=as_json)


def _asked() -> tuple[Outcome, str | None]:
    """Return what the person answers; Ctrl-C leaves the review open."""
    outcome = ask_choice("How did it go", OUTCOMES, "done")
    return outcome, ask_text("What to remember", str) or None
