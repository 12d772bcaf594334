"""The verb `start`: starts a session with a commitment."""

from antidrift_cli import candidates
from antidrift_cli.asking import can_ask
from antidrift_cli.class_choice import ask_for_classes
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.durations import parse_secs
from antidrift_cli.errors import misused
from antidrift_cli.render import started_lines
from antidrift_cli.verb import ask, joined, report
from protocol.methods import StartParams


@verb(
    argument("words", nargs=-1, metavar="[NEXT ACTION]..."),
    option("-s", "--success", help="When you will call it done."),
    option(
        "-t",
        "--timebox",
        read=parse_secs,
        metavar="DURATION",
        help="How long: 25 (minutes), 25m, 90s, 1h30m.",
    ),
    option(
        "-a",
        "--allow",
        multiple=True,
        metavar="CLASS[,CLASS]",
        shell_complete=candidates.lists_of_seen_classes,
        help="Window classes that serve the task. Can be repeated.",
    ),
    option(
        "--allow-title",
        multiple=True,
        metavar="TEXT",
        help="A part of the titles that serve the task. Can be repeated.",
    ),
    examples=[
        "antidrift start",
        "antidrift start write the introduction -t 50m -a code,evince",
        'antidrift start fix the build -s "CI is green" -a code --allow-title "CI: antidrift"',
    ],
)
def start(
    *,
    words: tuple[str, ...] = (),
    success: str | None = None,
    timebox: int | None = None,
    allow: tuple[str, ...] = (),
    allow_title: tuple[str, ...] = (),
    as_json: bool = False,
) -> None:
    """Start a session.

    What isn't given comes from the coach's proposal, if there is one, else from the plan. Each
    window that isn't allowed is judged. On a terminal it asks which of the programs seen lately
    belong to the task.
    """
    classes = tuple(name.strip() for names in allow for name in names.split(","))
    if not all(classes):
        raise misused("antidrift start", "--allow: a window class is empty")
    if not all(title.strip() for title in allow_title):
        raise misused("antidrift start", "--allow-title: an empty title matches all")
    if not classes and not as_json and can_ask():
        classes = ask_for_classes()
    reply = ask(
        "start",
        StartParams(
            next_action=joined(words),
            success_condition=success,
            timebox_secs=timebox,
            allowed_window_classes=classes or None,
            allowed_window_titles=allow_title or None,
        ),
    )
    report(reply, started_lines(reply.state), as_json=as_json)
