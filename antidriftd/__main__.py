"""The `antidriftd` command: arguments, logging, exit code."""

import contextlib
import io
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import BACKENDS, SENSOR_NAMES, is_sensor
from antidriftd.settings.loading import Flags, load_settings
from protocol.version import PROTOCOL_VERSION, VERSION
from protocol.visible import visible

EXIT_FAILED = 1
EXIT_CONFIG = 78
"""EX_CONFIG of sysexits.h: bad configuration, or a path that isn't safe."""

_LEVELS = ("debug", "info", "warning", "error")
_SEVERITIES = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
_MAX_LOGGED_CHARS = 1000


def main() -> NoReturn:
    """Run the daemon and exit: 0 stopped, 1 failed, 2 usage, 78 bad configuration."""
    _secure_standard_files()
    arguments = _parse(sys.argv[1:])
    _set_up_logging(arguments.log_level)
    # Nothing that is made from here on is open to others, whatever the caller's umask.
    os.umask(0o077)
    sys.exit(_run(arguments.flags, check_only=arguments.check_only))


def _secure_standard_files() -> None:
    """Make sure that descriptors 0 to 2 are open, and that nobody minds a full standard error.

    Otherwise the socket or the lock could become the standard error of a program we start; and
    what a buffer could not write would be tried again at the exit, and change its code.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    unbuffered = io.FileIO(2, "w", closefd=False)
    sys.stderr = io.TextIOWrapper(unbuffered, "utf-8", "backslashreplace", write_through=True)


@dataclass(frozen=True, slots=True)
class _Arguments:
    """What the command line asks for."""

    flags: Flags = field(default_factory=Flags)
    log_level: str = "info"
    check_only: bool = False


def _parse(words: Sequence[str]) -> _Arguments:
    if not words:
        return _Arguments()  # as a service is started; a parser would lie in memory ever after
    import argparse

    parser = argparse.ArgumentParser(
        prog="antidriftd",
        description="Watch the window in front and serve `antidrift`. Runs in the foreground.",
        epilog="example: antidriftd --sensor x11 --log-level debug",
        allow_abbrev=False,
    )
    parser.add_argument("--socket", metavar="PATH", default="", help="the Unix socket to listen on")
    parser.add_argument("--state-dir", metavar="PATH", default="", help="where the state is kept")
    parser.add_argument("--config", metavar="PATH", default="", help="the config.toml to read")
    parser.add_argument(
        "--sensor",
        metavar="NAME",
        default="",
        type=_sensor,
        help=f"{SENSOR_NAMES} (default: auto)",
    )
    parser.add_argument(
        "--ai", choices=BACKENDS, default="", help="who judges windows (default: local)"
    )
    parser.add_argument("--log-level", choices=_LEVELS, default="info", help="default: info")
    parser.add_argument(
        "--check-config", action="store_true", help="only say whether the settings are good"
    )
    version = f"antidriftd {VERSION} (protocol {PROTOCOL_VERSION})"
    parser.add_argument("--version", action="version", version=version)
    found = parser.parse_args(words)
    flags = Flags(
        socket=found.socket,
        state_dir=found.state_dir,
        config=found.config,
        sensor=found.sensor,
        ai=found.ai,
    )
    return _Arguments(flags, found.log_level, found.check_config)


def _sensor(name: str) -> str:
    if name and not is_sensor(name):
        import argparse

        raise argparse.ArgumentTypeError(f"{name!r} must be {SENSOR_NAMES}")
    return name


def _run(flags: Flags, *, check_only: bool) -> int:
    # Only here: `--version` and a mistyped flag needn't wait for Trio.
    import trio

    from antidriftd import bootstrap
    from antidriftd.adapters.store.port import StoreError, UnsafeStore
    from antidriftd.runtime.activation import BadActivation
    from antidriftd.runtime.ownership import AlreadyRunning, UnsafePath

    try:
        settings = load_settings(flags, os.environ)
        if check_only:
            bootstrap.check(settings, os.environ)
            found = "good" if settings.config.exists() else "no such file, so the defaults hold"
            print(f"{visible(str(settings.config))}: {found}")
            return 0
        trio.run(bootstrap.run, settings, os.environ)
    except (BadSettings, BadActivation, UnsafePath, UnsafeStore) as error:
        return _fail(EXIT_CONFIG, str(error))
    except (AlreadyRunning, StoreError) as error:
        return _fail(EXIT_FAILED, str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(EXIT_FAILED, f"can't start: {where}{error.strerror or error}")
    return 0


def _fail(code: int, message: str) -> int:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"antidriftd: {visible(message)}\n")
    return code


class _OneLine(logging.Formatter):
    """Keeps a record on one line and free of control characters, whatever a window is called.

    Under systemd a line begins with its priority (sd-daemon(3)).
    """

    def __init__(self, *, journal: bool) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self._journal = journal

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text; a traceback follows in lines of its own."""
        lines = [visible(line)[:_MAX_LOGGED_CHARS] for line in super().format(record).split("\n")]
        if not record.exc_info:
            lines = ["\\n".join(lines)]
        prefix = f"<{_SEVERITIES[record.levelname]}>" if self._journal else ""
        return "\n".join(prefix + line for line in lines)


def _set_up_logging(level: str) -> None:
    # A log that can't be written must not stop anything.
    logging.raiseExceptions = False
    handler = logging.StreamHandler()
    # What the journal reads has these numbers (systemd.exec(5)); a shell may inherit the variable.
    seen = os.fstat(2)
    to_journal = os.environ.get("JOURNAL_STREAM") == f"{seen.st_dev}:{seen.st_ino}"
    handler.setFormatter(_OneLine(journal=to_journal))
    logging.basicConfig(level=level.upper(), handlers=[handler])


if __name__ == "__main__":
    main()
