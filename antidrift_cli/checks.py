"""What `doctor` finds: what can be seen from here, and what the daemon sees of itself."""

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from antidrift_cli.client import Client, open_client
from antidrift_cli.errors import CliError, NoDaemon, OtherProtocol
from antidrift_cli.service.unit_file import find_unit_file
from antidrift_cli.starting import has_systemd, how_to_start
from protocol import paths, prompt
from protocol.version import PROTOCOL_VERSION, VERSION
from protocol.views import Diagnosis, Finding, Info

_ORDER: Final = ("config", "socket", "daemon", "protocol")
"""What comes first; the rest follows in the order in which it was found."""

_CHECK: Final = "antidriftd --check-config"
_CHECK_SECS: Final = 10


def diagnose(environ: Mapping[str, str]) -> Diagnosis:
    """Return all that is found; without a daemon what only it can see is left out."""
    findings = [_socket(environ), *_with_daemon(environ), _service(environ)]
    if all(each.name != "config" for each in findings):
        findings.append(_config(environ))
    rank = {name: place for place, name in enumerate(_ORDER)}
    return Diagnosis(findings=tuple(sorted(findings, key=lambda each: rank.get(each.name, 99))))


def _config(environ: Mapping[str, str]) -> Finding:
    """Have the daemon's program read the settings, as this package may not."""
    command = [sys.executable, "-P", "-m", "antidriftd", "--check-config"]
    try:
        done = subprocess.run(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CHECK_SECS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _warning("config", "it could not be read in time", f"type `{_CHECK}`")
    if done.returncode == 0:
        return _ok("config", done.stdout.decode(errors="replace").strip())
    said = done.stderr.decode(errors="replace").strip().removeprefix("antidriftd: ")
    return _failed("config", said, f"correct that; `{_CHECK}` tells when it is good")


def _socket(environ: Mapping[str, str]) -> Finding:
    try:
        path = paths.socket_path(environ)
    except paths.PathTooLong as error:
        return _failed("socket", str(error), "set ANTIDRIFT_SOCKET to a shorter path")
    except paths.NoHome as error:
        return _failed("socket", str(error), "set HOME to an absolute path")
    try:
        return _socket_at(Path(path))
    except OSError as error:
        remedy = "set ANTIDRIFT_SOCKET to a path in a directory of your own"
        return _failed("socket", f"{path}: {error.strerror}", remedy)


def _socket_at(path: Path) -> Finding:
    """Return how the place of the socket does; raises OSError where it can't be looked at."""
    directory = path.parent
    if not directory.exists():
        return _ok("socket", f"{path}; the daemon makes its directory")
    seen = directory.stat()
    if seen.st_uid != os.getuid():
        remedy = "set ANTIDRIFT_SOCKET to a path in a directory of your own"
        return _failed("socket", f"{directory} belongs to another user", remedy)
    if seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        remedy = f"type `chmod go-w {shlex.quote(str(directory))}`"
        return _failed("socket", f"others can write in {directory}", remedy)
    if path.exists() and not path.is_socket():
        moved = shlex.join(["mv", str(path), f"{path}.old"])
        return _failed("socket", f"{path} is in the way, and no socket", f"type `{moved}`")
    return _ok("socket", f"{path}, in a directory that is yours alone")


def _with_daemon(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what it takes a daemon to find out."""
    try:
        with open_client(environ) as client:
            info, _ = client.get("info", Info)
            yield _daemon(info)
            yield _ok("protocol", f"both sides speak {PROTOCOL_VERSION}")
            yield from _of_daemon(client, info)
            yield _prompt(info)
    except OtherProtocol as error:
        detail, _, remedy = str(error).rpartition(": ")
        yield _ok("daemon", "one answers")
        yield _failed("protocol", detail, remedy)
    except NoDaemon as error:
        yield _unreachable(error, environ)
    except CliError as error:
        yield _failed("daemon", str(error), "try again")


def _unreachable(error: NoDaemon, environ: Mapping[str, str]) -> Finding:
    if isinstance(error.__cause__, BlockingIOError):  # it takes connections, and no more
        end = f"end it: `kill -9 {_holder(environ)}`, then {_start()}"
        return _failed("daemon", "it gives no answer in time", end)
    _, is_absent, hint = str(error).partition(how_to_start())
    if is_absent:
        return _failed("daemon", "none answers", f"{_start()}{hint}")
    return _failed("daemon", str(error), "see to the socket first")


def _holder(environ: Mapping[str, str]) -> str:
    """Return the pid that the daemon wrote into the lock beside its socket."""
    lock = Path(f"{paths.socket_path(environ)}.lock")
    try:
        held = re.match(r"pid ([0-9]+),", lock.read_text())
    except (OSError, ValueError):
        held = None
    return held[1] if held else "PID"


def _daemon(info: Info) -> Finding:
    if info.version != VERSION:
        detail = f"version {info.version} is running, but {VERSION} is installed"
        return _warning("daemon", detail, _restart(info))
    return _ok("daemon", f"version {info.version}, pid {info.pid}")


def _of_daemon(client: Client, info: Info) -> Iterator[Finding]:
    """Yield what the daemon finds; an older one can't look at itself."""
    try:
        diagnosis, _ = client.get("doctor", Diagnosis)
    except NoDaemon:
        raise
    except CliError as error:
        remedy = "try again" if error.kind == "too_busy" else _restart(info)
        yield _warning("self-check", f"the daemon can't tell how it does: {error}", remedy)
    else:
        yield from diagnosis.findings


def _prompt(info: Info) -> Finding:
    path = Path(paths.prompt_path(info.socket))
    try:
        status = prompt.decode(path.read_bytes())
    except OSError as error:
        detail = f"{path} can't be read, so shell prompts show nothing: {error.strerror}"
        return _warning("prompt", detail, _restart(info))
    if status is None or status.pid != info.pid:
        return _warning("prompt", f"{path} is from another daemon", _restart(info))
    return _ok("prompt", str(path))


def _start() -> str:
    second = "antidrift service install" if has_systemd() else "antidriftd &"
    return f"type `antidriftd` in a terminal of its own, or `{second}`"


def _with_the_session() -> str:
    if has_systemd():
        return "`antidrift service install` starts the daemon with your session"
    return "put `antidriftd &` into the file that starts your session, such as ~/.xinitrc"


def _restart(info: Info) -> str:
    return f"restart the daemon: `kill {info.pid}`, then {_start()}"


def _service(environ: Mapping[str, str]) -> Finding:
    try:
        file = find_unit_file(environ)
    except CliError as error:
        return _warning("service", str(error), "see to that file")
    if file.text is None:
        return _ok("service", f"not installed; {_with_the_session()}")
    return _ok("service", f"installed: {file.path}")


def _ok(name: str, detail: str) -> Finding:
    return Finding(name=name, status="ok", detail=detail)


def _warning(name: str, detail: str, remedy: str) -> Finding:
    return Finding(name=name, status="warning", detail=detail, remedy=remedy)


def _failed(name: str, detail: str, remedy: str) -> Finding:
    return Finding(name=name, status="failed", detail=detail, remedy=remedy)
