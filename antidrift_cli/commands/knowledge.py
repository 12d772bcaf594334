"""The verb `knowledge`: shows what is learned and where it lies, and forgets evidence."""

import json
import os
from pathlib import Path
from typing import Any

import click

from antidrift_cli.client import open_client
from antidrift_cli.declaring import epilog
from antidrift_cli.errors import NotEstablished, misused
from antidrift_cli.groups import json_flag, pass_on
from antidrift_cli.output import say, say_aside, say_json
from protocol.custody import Custody, Inputs
from protocol.methods import ForgetParams

_ANSWER_SECS = 90
"""Each node is looked at, and there may be a program behind one."""


@click.group(
    invoke_without_command=True,
    epilog=epilog(
        [
            "antidrift knowledge init --base me --directory ~/.antidrift --node profile \\",
            "    --file knowledge.md",
            "antidrift knowledge status",
            "antidrift knowledge why k:9c41e2a0",
        ]
    ),
)
@json_flag
@click.pass_context
def knowledge(ctx: click.Context, *, as_json: bool) -> None:
    """Look at what is learned about you, and where it lies.

    Bare, it is `antidrift knowledge status`.
    """
    if ctx.invoked_subcommand is None:
        _tell_status(as_json=as_json)
    else:
        pass_on(ctx, as_json=as_json)


@knowledge.command()
@json_flag
def show(*, as_json: bool) -> None:
    """Print the profile in force, and aside what it is."""
    from antidrift_cli.knowledge.profile import MAX_PROFILE_BYTES, digest, open_profile

    found = open_profile()
    text, size = found.content.decode(errors="replace"), len(found.content)
    told = {"profile": found.name, "size": size, "digest": digest(found.content)}
    told |= {"commit": found.commit, "cut": size > MAX_PROFILE_BYTES}
    if as_json:
        say_json(json.dumps({**told, "text": text}).encode())
        return
    say(text.splitlines())
    cut = ", cut: the coach reads the first 6 KiB" if size > MAX_PROFILE_BYTES else ""
    say_aside([f"{found.name}: {size} bytes{cut}, {found.commit or told['digest']}"])
    if found.supposed:
        say_aside(["no daemon answers, so this is a guess: config.toml may name another, or none"])


@knowledge.command()
@json_flag
def status(*, as_json: bool) -> None:
    """Check bindings, bases and nodes, and tell what waits."""
    _tell_status(as_json=as_json)


def _tell_status(*, as_json: bool) -> None:
    from antidrift_cli.knowledge.custody_text import custody_lines

    with open_client(os.environ, _ANSWER_SECS) as client:
        seen, raw = client.get("knowledge_status", Custody)
    if as_json:
        say_json(raw)
    else:
        say(custody_lines(seen))


@knowledge.command()
@click.option("--base", required=True, metavar="NAME", help="What to call the base.")
@click.option("--directory", type=click.Path(path_type=Path), help="A directory to be bound.")
@click.option("--repository", type=click.Path(path_type=Path), help="A Git repository instead.")
@click.option("--root", default=".", show_default=True, help="The folder of it in the repository.")
@click.option("--accepted", default="refs/heads/main", show_default=True, metavar="REF")
@click.option("--node", required=True, metavar="NAME", help="What to call the node.")
@click.option("--file", required=True, metavar="FILE.md", help="The node's file in the base.")
@json_flag
def init(*, base: str, node: str, file: str, as_json: bool, **where: Any) -> None:
    """Bind a base, once: make the bindings and its marker.

    The Markdown file stays as it is. For Git the marker is printed, for you to commit.
    """
    from antidrift_cli.knowledge.starting import MARKER_FILE, Plan, begin

    repository, directory = where["repository"], where["directory"]
    place: Path | None = repository or directory
    if place is None or (repository and directory):
        raise misused("antidrift knowledge init", "give --directory or --repository")
    _check_names(base, node)
    plan = Plan(
        base=base,
        place=place.expanduser(),
        node=node,
        file=file,
        root=where["root"],
        accepted=where["accepted"] if repository else "",
    )
    bindings, marker = begin(plan)
    if as_json:
        say_json(json.dumps({"bindings": str(bindings), "marker": marker}).encode())
        return
    if repository:
        say(marker.splitlines())
        say_aside([f"commit this as {plan.root}/{MARKER_FILE} on {plan.accepted}"])
    say_aside([f'bound in {bindings}; nothing is captured until you write capture = "on" there'])
    profile = plan.place / plan.file
    if directory and not profile.exists():
        say_aside([f"there is no {profile} yet; write it first: what is learned is added to it"])


@knowledge.command()
@click.argument("entry", metavar="k:ID")
@json_flag
def why(entry: str, *, as_json: bool) -> None:
    """Tell what is behind a learned line: evidence, verdict, reason, date."""
    from antidrift_cli.knowledge.reading import open_archive
    from antidrift_cli.knowledge.showing import reasons

    lines = reasons(open_archive(), entry)
    if not lines:
        raise NotEstablished("E_INPUT: no harvest knows that entry; is it your own line?")
    if as_json:
        say_json(json.dumps({"entry": entry, "lines": lines}).encode())
    else:
        say(lines)


@knowledge.command()
@click.argument("evidence", metavar="INPUT", required=False)
@click.option("--session", metavar="ID", help="All of a session's.")
@json_flag
def forget(evidence: str | None, *, session: str | None, as_json: bool) -> None:
    """Delete evidence for ever, and what harvests kept of its words."""
    if bool(evidence) == bool(session):
        raise misused("antidrift knowledge forget", "give INPUT or --session ID")
    params = ForgetParams(input=evidence or "", session=session or "")
    with open_client(os.environ, _ANSWER_SECS) as client:
        gone, raw = client.get("knowledge_forget", Inputs, params)
    if as_json:
        say_json(raw)
    else:
        say([f"forgotten: {', '.join(each[:8] for each in gone.inputs)}"])


def _check_names(*names: str) -> None:
    for name in names:
        if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
            raise misused("antidrift knowledge init", "a name has letters, digits, `-` and `_`")
