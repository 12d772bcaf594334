"""The verb `plan`: enters planning with an intent, or with a task as the intent."""

from antidrift_cli import candidates
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.errors import misused
from antidrift_cli.render import phase_line
from antidrift_cli.render_planning import coach_lines
from antidrift_cli.verb import ask, joined, report
from antidrift_cli.waiting import fetch_tasks
from protocol.methods import PlanParams


@verb(
    argument("words", nargs=-1, metavar="[INTENT]..."),
    option(
        "--task",
        "task_id",
        metavar="ID",
        shell_complete=candidates.tasks,
        help="Take a task as the intent: its number in `antidrift tasks`, its id, or SOURCE:ID.",
    ),
    examples=[
        "antidrift plan write the introduction",
        'antidrift plan "fix issue #12"',
        "antidrift plan --task 2",
    ],
)
def plan(words: tuple[str, ...] = (), *, task_id: str | None = None, as_json: bool = False) -> None:
    """Say what you mean to do.

    In planning it replaces the intent; after a session it closes the review without a note.
    """
    if task_id is not None:
        if words:
            raise misused("antidrift plan", "give an intent or a task, not both")
        fetch_tasks(quiet=as_json)
    reply = ask("plan", PlanParams(intent=joined(words), task_id=task_id))
    report(reply, [phase_line(reply.state), *coach_lines(reply.state)], as_json=as_json)
