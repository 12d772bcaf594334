"""A user manager of systemd of one's own, apart from that of whoever runs the tests."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

PATIENCE_SECS = 100

# systemd starts as a user manager only where it finds one for the system; that is a folder in /run.
_PREPARE = """
set -eu
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
/usr/lib/systemd/systemd --user >"$HOME/manager.log" 2>&1 &
until systemctl --user show --property=Version >/dev/null 2>&1; do sleep 0.1; done
"""


def run_beside_systemd(script: str, home: Path, environ: Mapping[str, str]) -> str:
    """Return what a shell script prints that runs where a user manager does; both end with it.

    `home` is the home directory of all. Who isn't root needs a cgroup of one's own, as every login
    under systemd has.
    """
    as_root = () if os.geteuid() == 0 else ("--map-root-user",)
    done = subprocess.run(
        ["unshare", *as_root, "-m", "-p", "-f", "--mount-proc", "sh", "-c", _PREPARE + script],
        env={
            "PATH": os.environ["PATH"],
            **environ,
            "HOME": str(home),
            "XDG_RUNTIME_DIR": "/run/user/0",
        },
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
