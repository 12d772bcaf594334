"""The verb `service`: lets systemd start the daemon with the session."""

import os
from pathlib import Path

import click

from antidrift_cli.declaring import epilog
from antidrift_cli.groups import json_flag, pass_on
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.profile_path import with_tilde
from antidrift_cli.service import setup, systemctl
from antidrift_cli.service.report import Report
from antidrift_cli.service.unit_file import find_unit_file
from protocol import paths


@click.group(
    subcommand_metavar="COMMAND [ARGS]...",
    epilog=epilog(
        [
            "antidrift service install",
            "antidrift service status --json",
            "antidrift service uninstall",
        ]
    ),
)
@json_flag
@click.pass_context
def service(ctx: click.Context, *, as_json: bool) -> None:
    """Let systemd start the daemon with your session."""
    pass_on(ctx, as_json=as_json)


@service.command(epilog=epilog(["antidrift service install", "antidrift service install --print"]))
@click.option("--force", is_flag=True, help="Replace a unit that was edited or isn't ours.")
@click.option("--print", "only_print", is_flag=True, help="Print the unit and write nothing.")
@json_flag
def install(*, force: bool, only_print: bool, as_json: bool) -> None:
    """Write the unit, enable it and start the daemon.

    The unit names the daemon that belongs to this command, and the PATH of this shell, so that the
    daemon finds the same AI program. Done again, it brings the unit up to date.
    """
    if only_print:
        text = setup.wanted_unit(os.environ)
        _report({"text": text}, text.splitlines(), as_json=as_json)
        return
    outcome = setup.install(os.environ, force=force)
    did = "installed" if outcome.changed else "up to date"
    state = "running" if outcome.active else "not started"
    members = {
        "unit": str(outcome.unit),
        "changed": outcome.changed,
        "target": outcome.target,
        "active": outcome.active,
        "notes": outcome.notes,
    }
    _report(members, [f"{did} and {state}: {with_tilde(str(outcome.unit))}"], as_json=as_json)
    if not as_json:
        say_aside(outcome.notes)


@service.command(epilog=epilog(["antidrift service uninstall"]))
@click.option("--force", is_flag=True, help="Remove a unit that was edited or isn't ours.")
@json_flag
def uninstall(*, force: bool, as_json: bool) -> None:
    """Stop the daemon, and start it no more; sessions and settings stay."""
    outcome = setup.uninstall(os.environ, force=force)
    kept = (Path(paths.state_dir(os.environ)), Path(paths.config_path(os.environ)).parent)
    members = {
        "unit": str(outcome.unit),
        "changed": outcome.changed,
        "kept": [str(path) for path in kept],
    }
    did = "removed" if outcome.changed else "nothing was installed"
    sessions, settings = (with_tilde(str(path)) for path in kept)
    lines = [
        f"{did}: {with_tilde(str(outcome.unit))}",
        f"kept: sessions in {sessions}, settings in {settings}",
    ]
    _report(members, lines, as_json=as_json)


@service.command(epilog=epilog(["antidrift service status"]))
@json_flag
def status(*, as_json: bool) -> None:
    """Show how the service does; the exit code is 0 while it runs, else 1."""
    systemctl.check_it_answers()
    report = Report(
        file=find_unit_file(os.environ),
        service=systemctl.ask_service(),
        wanted=setup.wanted_unit(os.environ),
        stranger=setup.pid_outside_systemd(os.environ),
    )
    _report(report.members(), report.lines(), as_json=as_json)
    if report.stranger is not None and not as_json:
        say_aside([setup.how_to_end(report.stranger)])
    if not report.service.is_active:
        click.get_current_context().exit(1)


def _report(members: dict[str, object], lines: list[str], *, as_json: bool) -> None:
    if not as_json:
        say(lines)
        return
    import json

    say_json(json.dumps(members).encode())
