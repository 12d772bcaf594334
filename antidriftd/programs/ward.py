"""The ward: a small program that runs one other program and leaves none of its processes behind.

    python -I -S ward.py CONTROL_FD DIRECTORY PROGRAM [ARGUMENT...]

A process of its own, because a child subreaper (prctl(2)) inherits every orphan below it: in the
daemon those would mix with its other children. It also outlives a daemon that was killed. Standard
library only, so that it starts fast.

The program gets the ward's standard streams, environment, a session of its own, and DIRECTORY to
run in. It is ended, with everything that descends from it, when it exits or when the control socket
reaches its end, be it that the daemon asks so or that the daemon died. Before the ward exits it
removes DIRECTORY, and writes one report to the control socket:

    exited CODE     by itself; a negative code is a signal's number
    ended           by the ward, because it was asked to
    failed WHY      it could not be started
"""

import ctypes
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

GRACE_SECS = 2.0
"""How long a program may take to end after SIGTERM."""

_PR_SET_CHILD_SUBREAPER = 36
_ROUND_MS = 50
_KILL_SECS = 10.0


def remove(directory: Path) -> None:
    """Remove `directory` with all that it holds, what was made unreadable included."""
    for folder, names, _ in os.walk(directory):
        for path in (Path(folder, name) for name in names):
            with suppress(OSError):
                if not path.is_symlink():
                    path.chmod(0o700)
    shutil.rmtree(directory, ignore_errors=True)


def descendants(ancestor: int) -> dict[int, int]:
    """Return the process group of each living descendant of `ancestor`, by process id (proc(5)).

    One look at a moving picture: a process that forks meanwhile may hide a child until the next.
    """
    children: dict[int, list[tuple[int, int]]] = {}
    for pid, parent, group in _processes():
        children.setdefault(parent, []).append((pid, group))
    found: dict[int, int] = {}
    unseen = [ancestor]
    while unseen:
        for pid, group in children.pop(unseen.pop(), []):
            found[pid] = group
            unseen.append(pid)
    return found


def _processes() -> Iterator[tuple[int, int, int]]:
    """Yield id, parent and process group of each process that is not a zombie."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                # A program's name may hold spaces and brackets: what counts follows the last one.
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] not in {b"Z", b"X"}:
                    yield int(entry.name), int(fields[1]), int(fields[2])


class _Children:
    """The ward's children: the program, and every orphan that it leaves."""

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}
        self._alarmed = False
        self._wake, wake_in = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(wake_in, False)
        # Every signal that Python handles becomes a byte in this pipe, so one poll waits for all.
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGALRM, self._alarm)

    def wait(self, program: int, control: socket.socket) -> None:
        """Return when `program` has ended or `control` has."""
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        poll.register(control, select.POLLIN)
        asked = False
        while self._reap() and program not in self.codes and not asked:
            asked = control.fileno() in {fd for fd, _ in poll.poll()}

    def end(self) -> None:
        """SIGTERM, `GRACE_SECS` of patience, SIGKILL; return as soon as none is left.

        A process that SIGKILL does not move (one stuck in the kernel) is given up on in the end.
        """
        told: set[int] = set()
        self._set_alarm(GRACE_SECS)
        while self._reap() and not self._alarmed:
            fresh = set(descendants(os.getpid()).values()) - told
            _signal_groups(fresh, signal.SIGTERM)
            _signal_groups(fresh, signal.SIGCONT)  # a stopped one must wake up to end
            told |= fresh
            self._nap()
        self._set_alarm(_KILL_SECS)
        while self._reap() and not self._alarmed:
            _signal_groups(set(descendants(os.getpid()).values()), signal.SIGKILL)
            self._nap()

    def _set_alarm(self, secs: float) -> None:
        self._alarmed = False
        signal.setitimer(signal.ITIMER_REAL, secs)

    def _alarm(self, *_: object) -> None:
        self._alarmed = True

    def _nap(self) -> None:
        select.select([self._wake], [], [], _ROUND_MS / 1000)

    def _reap(self) -> bool:
        """Collect the children that have ended; return whether any is left."""
        with suppress(BlockingIOError):
            while os.read(self._wake, 4096):
                pass
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return True
                self.codes[pid] = os.waitstatus_to_exitcode(status)
        return False


def _signal_groups(groups: set[int], number: int) -> None:
    """Signal whole groups: the kernel does that at once, so a forking group cannot outrun it.

    The program began a session of its own, so its groups hold nothing but its descendants.
    """
    for group in groups - {0, os.getpgrp()}:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def _spawn(argv: Sequence[str]) -> int:
    """Start the program in its own session, with every signal as a fresh process has it."""
    every = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
    return os.posix_spawn(
        argv[0], list(argv), _environ(), setsid=True, setsigmask=[], setsigdef=sorted(every)
    )


def _environ() -> dict[bytes, bytes]:
    """Return the environment as the ward got it: Python may have added LC_CTYPE (PEP 538)."""
    entries = Path("/proc/self/environ").read_bytes().split(b"\0")
    return {name: value for name, found, value in (e.partition(b"=") for e in entries) if found}


def _release_streams() -> None:
    """Let go of the standard streams: the program's closing of them must show at the other end."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.close(null)


def _run(argv: Sequence[str], control: socket.socket) -> str:
    """Run the program to its end, or until asked to end it; return the report."""
    children = _Children()
    try:
        program = _spawn(argv)
    except OSError as error:
        return f"failed {error.strerror}"
    _release_streams()
    children.wait(program, control)
    code = children.codes.get(program)
    children.end()
    return "ended" if code is None else f"exited {code}"


def main(arguments: Sequence[str]) -> None:
    """Run `arguments[2:]`, watched over through the socket with descriptor `arguments[0]`."""
    # Whoever signals a whole process tree (a service manager that stops) reaches the program
    # itself; the ward has to outlast it.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with socket.socket(fileno=int(arguments[0])) as control:
        control.set_inheritable(False)
        try:
            os.chdir(arguments[1])
            report = _run(arguments[2:], control)
        except OSError as error:
            report = f"failed {error.strerror}"
        remove(Path(arguments[1]))
        with suppress(OSError):
            control.sendall(report.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
