"""The verb `harvest`: has evidence weighed, and accepts, rejects or mends what comes of it."""

import os

import click

from antidrift_cli.client import open_client
from antidrift_cli.declaring import epilog
from antidrift_cli.errors import NotEstablished, misused
from antidrift_cli.groups import json_flag, pass_on
from antidrift_cli.output import say, say_json
from antidrift_cli.waiting import wait_for
from protocol.custody import Inputs, Run, Runs
from protocol.methods import HarvestParams, Params, RebindParams, RejectParams, RunParams
from protocol.views import State

_ANSWER_SECS = 90
"""Behind a verb there may be a program of the person's own, or a slow disk."""


@click.group(
    invoke_without_command=True,
    epilog=epilog(
        [
            "antidrift harvest",
            "antidrift harvest show r-5f0c6c1e22aa",
            "antidrift harvest accept r-5f0c6c1e22aa",
        ]
    ),
)
@click.option("--include-incomplete", is_flag=True, help="Weigh evidence with gaps too.")
@json_flag
@click.pass_context
def harvest(ctx: click.Context, *, include_incomplete: bool, as_json: bool) -> None:
    """Have evidence weighed, and accept what it teaches.

    The evidence goes to the AI that you chose as ai.backend, once, now. That makes a proposal and
    changes nothing: only `accept` does.
    """
    if ctx.invoked_subcommand is None:
        _judge("harvest_start", HarvestParams(include_incomplete=include_incomplete), as_json)
        return
    if include_incomplete:
        message = f"--include-incomplete does not go with {ctx.invoked_subcommand}"
        raise misused("antidrift harvest", message)
    pass_on(ctx, as_json=as_json)


@harvest.command("list")
@json_flag
def list_runs(*, as_json: bool) -> None:
    """List the harvests there were."""
    import msgspec

    from antidrift_cli.knowledge.reading import open_archive
    from antidrift_cli.knowledge.showing import run_line

    runs = open_archive().runs()
    if as_json:
        say_json(msgspec.json.encode({"runs": runs}))
    else:
        say([run_line(run) for run in runs] or ["there were no harvests yet"])


@harvest.command()
@click.argument("run")
@json_flag
def show(run: str, *, as_json: bool) -> None:
    """Show a harvest: its diff, each verdict and its reason."""
    import msgspec

    from antidrift_cli.knowledge.reading import open_archive
    from antidrift_cli.knowledge.showing import run_lines

    archive = open_archive()
    found = archive.run(run)
    proposal = archive.proposal(run)
    if as_json:
        say_json(msgspec.json.encode({"run": found, "proposal": proposal}))
    else:
        say(run_lines(found, proposal, archive.trouble(found)))


@harvest.command()
@click.argument("run")
@json_flag
def accept(run: str, *, as_json: bool) -> None:
    """Deliver a proposal."""
    done, json = _ask("harvest_accept", RunParams(run=run))
    _report(done, json, as_json=as_json)


@harvest.command()
@click.argument("run")
@click.option("--reason", required=True, help="Why; it stays in your own files.")
@json_flag
def reject(run: str, *, reason: str, as_json: bool) -> None:
    """Close a harvest without taking anything from it."""
    done, json = _ask("harvest_reject", RejectParams(run=run, reason=reason))
    _report(done, json, as_json=as_json)


@harvest.command()
@click.argument("run")
@json_flag
def retry(run: str, *, as_json: bool) -> None:
    """Go on with a harvest that failed, was held or was cut off."""
    _judge("harvest_retry", RunParams(run=run), as_json)


@harvest.command()
@click.argument("run")
@json_flag
def rejudge(run: str, *, as_json: bool) -> None:
    """Weigh the same evidence again, on the text as it is now."""
    _judge("harvest_rejudge", RunParams(run=run), as_json)


@harvest.command()
@json_flag
def refresh(*, as_json: bool) -> None:
    """Look whether what was delivered has been merged, or thrown away."""
    with open_client(os.environ, _ANSWER_SECS) as client:
        changed, json = client.get("harvest_refresh", Runs)
    if as_json:
        say_json(json)
    else:
        say([f"{run.run}: {_meaning(run)}" for run in changed.runs] or ["nothing has changed"])


@harvest.command()
@click.argument("target", metavar="RUN|INPUT")
@click.option("--to", required=True, metavar="BASE/NODE", help="The node that it goes to.")
@json_flag
def rebind(target: str, *, to: str, as_json: bool) -> None:
    """Send evidence to another node than it was taken for."""
    with open_client(os.environ, _ANSWER_SECS) as client:
        moved, json = client.get("harvest_rebind", Inputs, RebindParams(target=target, to=to))
    if as_json:
        say_json(json)
    else:
        say([f"inputs that go to {to} now: {len(moved.inputs)}"])


def _ask(method: str, params: Params) -> tuple[Run, bytes]:
    with open_client(os.environ, _ANSWER_SECS) as client:
        return client.get(method, Run, params)


def _judge(method: str, params: Params, as_json: bool) -> None:
    run, json = _ask(method, params)
    while run.state == "judging":
        wait_for("state", None, _is_judging, doing="the evidence is being weighed", quiet=as_json)
        run, json = _ask("harvest_run", RunParams(run=run.run))
    if run.state in {"failed", "held"}:
        raise NotEstablished(f"{run.code}: {run.run} {_meaning(run)}")
    _report(run, json, as_json=as_json)


def _is_judging(state: State) -> bool:
    return state.harvest is not None and state.harvest.judging > 0


def _report(run: Run, json: bytes, *, as_json: bool) -> None:
    if as_json:
        say_json(json)
    elif not run.run:
        say(["there is nothing to harvest"])
    else:
        say([f"{run.run}: {_meaning(run)}"])


def _meaning(run: Run) -> str:
    words = {
        "no-change": "nothing in it is worth keeping",
        "proposed": f"a proposal; look at it: antidrift harvest show {run.run}",
        "applied": "accepted, and in your profile",
        "delivered": f"on the branch antidrift/harvest/{run.run}; merge it by your own means",
        "accepted": "merged",
        "rejected": "closed",
        "uncertain": "nobody can tell whether it was written; look, then: harvest refresh",
        "failed": f"has failed; see why: antidrift harvest show {run.run}",
        "held": f"is held; see why: antidrift harvest show {run.run}",
        "stale": f"your text has changed since; antidrift harvest rejudge {run.run}",
    }
    return words.get(run.state, run.state)
