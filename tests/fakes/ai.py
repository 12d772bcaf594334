"""Fake AI programs: small executables on disk that behave as real ones do on a bad day."""

import os
import sys
import textwrap
from pathlib import Path

import trio

VERDICT = '{"on_task": true, "reason": "the ticket is in the title"}'

READS_FIRST = f"sys.stdin.read(); print('{VERDICT}')"
NEVER_ANSWERS = "time.sleep(300)"
ECHOES = "sys.stdout.write(sys.stdin.read())"
CLOSES_STDIN = f"os.close(0); print('{VERDICT}')"
DRIPS = "while True: os.write(1, b'.'); time.sleep(0.05)"
RECORDS = """
try:
    os.close(os.open("/dev/tty", os.O_RDWR))
    terminal = True
except OSError:
    terminal = False
print(json.dumps({
    "argv": sys.argv[1:],
    "environ": dict(os.environ),
    "cwd": os.getcwd(),
    "cwd_mode": os.stat(".").st_mode & 0o777,
    "cwd_names": os.listdir("."),
    "fds": sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1],
    "leads_session": os.getsid(0) == os.getpid(),
    "leads_group": os.getpgrp() == os.getpid(),
    "terminal": terminal,
    "signals": [line.split()[1] for line in open("/proc/self/status") if line[:3] == "Sig"],
    "stdin": sys.stdin.read(),
}))
"""

CHILDREN = {
    "holds the pipes": "fork(sleep)",
    "leaves the session": "fork(os.setsid, sleep)",
    "double fork": "fork(os.setsid, lambda: fork(sleep), lambda: os._exit(0))",
    "ignores SIGTERM": "fork(deaf, sleep)",
    "left the session and ignores SIGTERM": "fork(os.setsid, deaf, sleep)",
    "stopped": "fork(os.setsid, lambda: os.kill(os.getpid(), signal.SIGSTOP), sleep)",
    "forks on": "fork(deaf, lambda: [fork(os.setsid, deaf, sleep) for _ in range(20)], sleep)",
}
"""Statements that start a child of every kind."""

_PRELUDE = """\
#!{python} -IS
import json, os, signal, sys, time


def fork(*steps):
    if not os.fork():
        for step in steps:
            step()
        os._exit(0)


def sleep():
    time.sleep(300)


def deaf():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


"""


def write_program(folder: Path, body: str, name: str = "ai", *, mode: int = 0o755) -> str:
    """Write an executable Python script; return its path."""
    path = folder / name
    path.write_text(_PRELUDE.format(python=sys.executable) + textwrap.dedent(body) + "\n")
    path.chmod(mode)
    return str(path)


def answers(text: str, *, stderr: str = "", exit_code: int = 0) -> str:
    """Return the body of a program that reads its prompt, then prints `text`."""
    return f"""
sys.stdin.read()
os.write(1, {text.encode()!r})
os.write(2, {stderr.encode()!r})
os._exit({exit_code})
"""


def floods(stream: int, *, before: str = "") -> str:
    """Return the body of a program that prints `before`, then 1 GiB on descriptor `stream`."""
    return f"""
os.write(1, {before.encode()!r})
block = b"x" * 65536
for _ in range(16384):
    os.write({stream}, block)
"""


def processes_named(marker: str) -> list[int]:
    """Return the processes whose command line holds `marker`, such as a script's unique path.

    Children that the script forked keep its command line, so it finds them too.
    """
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                if marker.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:  # it has just gone
                continue
    return found


async def wait_processes(marker: str, *, present: bool, timeout_secs: float = 15) -> None:
    """Return when there are processes named `marker`, or when there are none."""
    with trio.fail_after(timeout_secs):
        while True:
            if bool(processes_named(marker)) is present:
                return
            await trio.sleep(0.02)


async def wait_file(path: Path) -> None:
    """Return when `path` is there."""
    with trio.fail_after(15):
        while True:
            if await trio.Path(path).exists():
                return
            await trio.sleep(0.02)
