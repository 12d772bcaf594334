"""The verb `start`: starts a session with a commitment."""

import click

from antidrift_cli import candidates
from antidrift_cli.class_choice import ask_for_classes
from antidrift_cli.render import started_lines
from antidrift_cli.verb import as_secs, ask, can_ask, examples, joined, json_flag, report
from protocol.methods import StartParams


@click.command(
    epilog=examples(
        "antidrift start",
        "antidrift start write the introduction -t 50m -a code,evince",
        'antidrift start fix the build -s "CI is green" -a code --allow-title "CI: antidrift"',
    )
)
@click.argument("words", nargs=-1, metavar="[NEXT ACTION]...")
@click.option("-s", "--success", help="When you will call it done.")
@click.option(
    "-t",
    "--timebox",
    callback=as_secs,
    metavar="DURATION",
    help="How long: 25 (minutes), 25m, 90s, 1h30m.",
)
@click.option(
    "-a",
    "--allow",
    multiple=True,
    metavar="CLASS[,CLASS]",
    shell_complete=candidates.lists_of_seen_classes,
    help="Window classes that serve the task. Can be repeated.",
)
@click.option(
    "--allow-title",
    multiple=True,
    metavar="TEXT",
    help="A part of the titles that serve the task. Can be repeated.",
)
@json_flag
def start(
    *,
    words: tuple[str, ...],
    success: str | None,
    timebox: int | None,
    allow: tuple[str, ...],
    allow_title: tuple[str, ...],
    as_json: bool,
) -> None:
    """Start a session.

    What isn't given comes from the coach's proposal, if there is one, else from the plan. Each
    window that isn't allowed is judged. On a terminal it asks which of the programs seen lately
    belong to the task.
    """
    classes = tuple(name.strip() for names in allow for name in names.split(","))
    if not all(classes):
        raise click.BadParameter("a window class is empty", param_hint="--allow")
    if not all(title.strip() for title in allow_title):
        raise click.BadParameter("an empty title matches all", param_hint="--allow-title")
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
