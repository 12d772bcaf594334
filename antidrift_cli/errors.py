"""What can stop a verb, each with the exit code that tells a script so."""

from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:  # a usage error needs none of the protocol's machinery
    from protocol.errors import ErrorObject

REFUSED: Final = 1
USAGE: Final = 2
NO_DAEMON: Final = 3
OTHER_PROTOCOL: Final = 4
NOT_ESTABLISHED: Final = 5
INTERRUPTED: Final = 130


class CliError(Exception):
    """A verb can't be carried out; the message is one line that a person can act on.

    `code` is the daemon's JSON-RPC code, or the exit code when the daemon was not the one to
    refuse; `kind` names either as a word.
    """

    exit_code: ClassVar[int] = REFUSED

    def __init__(self, message: str, *, kind: str, code: int | None = None) -> None:
        super().__init__(message)
        self.kind: Final = kind
        self.code: Final = self.exit_code if code is None else code


class Refused(CliError):
    """The daemon refused."""

    def __init__(self, error: "ErrorObject") -> None:
        super().__init__(error.message, kind=error.data.kind, code=error.code)


class NotEstablished(CliError):
    """Something that was named can't be established; the message begins with a code (E_…)."""

    exit_code = NOT_ESTABLISHED

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="custody")


def refusal(error: "ErrorObject") -> CliError:
    """Return the failure that the daemon's error is here."""
    return NotEstablished(error.message) if error.data.kind == "custody" else Refused(error)


class Failed(CliError):
    """Something else went wrong on this side."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="failed")


class BadInput(CliError):
    """What was typed can't be meant."""

    exit_code = USAGE

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="usage")


def misused(command: str, message: str) -> BadInput:
    """Return the failure of a command that can't be meant as it was typed."""
    return BadInput(f"{message} (see: {command} --help)")


class NoDaemon(CliError):
    """No daemon that can be trusted answers, or not in time."""

    exit_code = NO_DAEMON

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="no_daemon")


class OtherProtocol(CliError):
    """The daemon speaks another version of the protocol."""

    exit_code = OTHER_PROTOCOL

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="other_protocol")
