"""What systemd's user manager is told and asked, by way of systemctl."""

import os
import subprocess
from dataclasses import dataclass
from typing import Final

from antidrift_cli.errors import Failed
from antidrift_cli.service.unit import GRAPHICAL_TARGET, NAME

_LONGEST_JOB_SECS: Final = 120
"""More than systemd gives a service to start, which is 90."""

_PROPERTIES: Final = (
    *("UnitFileState", "ActiveState", "SubState", "ActiveEnterTimestamp"),
    *("Result", "ExecMainCode", "ExecMainStatus", "MainPID"),
)


class NoUserSystemd(Failed):
    """No user manager of systemd can be reached; the message says what to do instead."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"systemd can't start it, as its user manager does not answer ({why}): "
            "put `antidriftd &` into the file that starts your session, such as ~/.xinitrc"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The service as systemd sees it; the words are systemd's own."""

    enabled: str
    active: str
    sub: str
    since: str
    result: str
    exit_status: int
    was_killed: bool
    pid: int

    @property
    def is_active(self) -> bool:
        """Whether it runs and is ready."""
        return self.active == "active"


def check_it_answers() -> None:
    """Make sure that there is somebody to talk to.

    Raises:
        NoUserSystemd: there isn't.
    """
    done = _run("show", "--property=Version")
    if done.returncode:
        raise NoUserSystemd(_said(done))


def reaches_graphical_session() -> bool:
    """Return whether this session has what a desktop starts, and a bare window manager doesn't."""
    return _run("is-active", GRAPHICAL_TARGET).stdout.strip() == "active"


def tell(*words: str) -> None:
    """Give the manager an order.

    Raises:
        Failed: it could not be carried out.
    """
    done = _run(*words)
    if done.returncode:
        raise Failed(f"`systemctl --user {' '.join(words)}` failed: {_said(done)}")


def ask_service() -> Service:
    """Return how the service does.

    Raises:
        Failed: systemctl doesn't tell.
    """
    done = _run("show", NAME, f"--property={','.join(_PROPERTIES)}")
    if done.returncode:
        raise Failed(f"systemd does not tell how {NAME} does: {_said(done)}")
    found = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    return Service(
        enabled=found.get("UnitFileState", ""),
        active=found.get("ActiveState", "unknown"),
        sub=found.get("SubState", ""),
        since=found.get("ActiveEnterTimestamp", ""),
        result=found.get("Result", ""),
        exit_status=_number(found.get("ExecMainStatus", "")),
        # CLD_KILLED and CLD_DUMPED of sigaction(2): then the status is a signal.
        was_killed=found.get("ExecMainCode", "") in ("2", "3"),
        pid=_number(found.get("MainPID", "")),
    )


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["systemctl", "--user", "--no-pager", *words]
    try:
        return subprocess.run(
            command,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_JOB_SECS,
            check=False,
        )
    except OSError as error:
        raise NoUserSystemd(f"systemctl: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failed(f"no end of `{' '.join(command)}` in {_LONGEST_JOB_SECS} s") from error


def _said(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    return lines[0] if lines else f"exit code {done.returncode}"


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
