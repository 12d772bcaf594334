"""Installs and removes the user service, and says what else has to be known."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from antidrift_cli.client import open_client
from antidrift_cli.errors import CliError, Failed
from antidrift_cli.service import systemctl, unit
from antidrift_cli.service.unit_file import find_unit_file
from protocol.views import Info

_ANSWER_SECS = 2
_NO_DESKTOP = (
    "this session does not reach graphical-session.target, so the service starts when you log in"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How things stand after a change; `notes` are what the person should know besides."""

    unit: Path
    changed: bool
    target: str = ""
    active: bool = False
    notes: tuple[str, ...] = ()


def wanted_unit(environ: Mapping[str, str]) -> str:
    """Return the unit for this machine and this session, by asking systemd about the session.

    Raises:
        Failed: there is no daemon to start.
    """
    return _render(environ, _target())


def install(environ: Mapping[str, str], *, force: bool) -> Outcome:
    """Write the unit, enable it and start the daemon; what is as it should be is left alone.

    Raises:
        Failed: it isn't installed, or it is and doesn't start. Without a user manager nothing is
            written; a unit that systemd refuses stays written, since that is what its error is
            about.
    """
    file = find_unit_file(environ)
    systemctl.check_it_answers()
    target = _target()
    text = _render(environ, target)
    changed = file.text != text
    if changed:
        if not force:
            file.check_it_may_go("antidrift service install")
        file.replace(text)
        systemctl.tell("daemon-reload")
    stranger = pid_outside_systemd(environ)
    _enable(changed=changed, start=stranger is None)
    return Outcome(
        unit=file.path,
        changed=changed,
        target=target,
        active=stranger is None,
        notes=tuple(_notes(environ, target, stranger)),
    )


def uninstall(environ: Mapping[str, str], *, force: bool) -> Outcome:
    """Stop and disable the service and remove its unit; data and settings stay.

    Raises:
        Failed: the unit isn't ours, or systemd can't be reached; nothing has changed then.
    """
    file = find_unit_file(environ)
    if file.text is None:
        return Outcome(unit=file.path, changed=False)
    if not force:
        file.check_it_may_go("antidrift service uninstall")
    systemctl.check_it_answers()
    systemctl.tell("disable", "--now", unit.NAME)
    file.remove()
    systemctl.tell("daemon-reload")
    return Outcome(unit=file.path, changed=True)


def pid_outside_systemd(environ: Mapping[str, str]) -> int | None:
    """Return the process id of a daemon where the service's would be, if it is another one.

    The service doesn't get our variables, so a daemon that they lead to is not in its way.
    """
    foreign = ("ANTIDRIFT_", "DISPLAY")
    its = {name: value for name, value in environ.items() if not name.startswith(foreign)}
    try:
        with open_client(its, _ANSWER_SECS) as client:
            info, _ = client.get("info", Info)
    except CliError:
        return None
    return None if info.pid == systemctl.ask_service().pid else info.pid


def how_to_end(pid: int) -> str:
    """Return what helps against a daemon outside systemd: only one can run."""
    return (
        f"a daemon that systemd did not start is running; let the service take over: "
        f"kill {pid}; systemctl --user start antidriftd"
    )


def _render(environ: Mapping[str, str], target: str) -> str:
    program = unit.find_daemon(Path(sys.argv[0]), Path(sys.executable))
    return unit.render(program, unit.search_path(environ), target)


def _target() -> str:
    if systemctl.reaches_graphical_session():
        return unit.GRAPHICAL_TARGET
    return unit.DEFAULT_TARGET


def _enable(*, changed: bool, start: bool) -> None:
    # `reenable` also takes away the link to a target that isn't wanted any more.
    systemctl.tell("reenable" if changed else "enable", unit.NAME)
    if not start:
        return
    try:
        systemctl.tell("restart" if changed else "start", unit.NAME)
    except Failed as error:
        message = f"the unit is installed, but {error}; see: antidrift service status"
        raise Failed(message) from error


def _notes(environ: Mapping[str, str], target: str, stranger: int | None) -> Iterator[str]:
    if target == unit.DEFAULT_TARGET:
        yield _NO_DESKTOP
    if stranger is not None:
        yield how_to_end(stranger)
    ours = sorted(name for name in environ if name.startswith("ANTIDRIFT_"))
    if ours:
        yield (
            f"the service does not get {', '.join(ours)} from this shell: "
            "say it in config.toml, or with systemctl --user edit antidriftd"
        )
