"""The unit file says only what systemd understands."""

import os
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "systemd" / "antidriftd.service"
EXEC_START = "ExecStart=%h/.local/bin/antidriftd"


def verify(unit: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run systemd's own check on `unit`, apart from the units of whoever runs the tests.

    The daemon is not installed where the unit looks for it, so a program that exists stands in.
    """
    path = folder / UNIT.name
    path.write_text(unit.replace(EXEC_START, "ExecStart=/bin/true"))
    return subprocess.run(
        [
            "systemd-analyze",
            "--user",
            "--man=no",
            "--recursive-errors=yes",
            "verify",
            str(path),
        ],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "SYSTEMD_UNIT_PATH": f"{folder}:/usr/lib/systemd/user",
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.fault("F52", "units in a real manager")
def test_systemd_accepts_the_unit_without_a_word(tmp_path: Path) -> None:
    done = verify(UNIT.read_text(), tmp_path)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("WatchdogSec=", "WatchdogSecs="),
        ("Type=notify", "Type=notifies"),
        ("WatchdogSec=60", "WatchdogSec=soon"),
        (EXEC_START, "ExecStart=/nowhere/antidriftd"),
    ],
)
@pytest.mark.fault("F52", "units in a real manager", is_control=True)
def test_the_check_catches_what_systemd_does_not_understand(
    right: str, wrong: str, tmp_path: Path
) -> None:
    unit = UNIT.read_text()
    assert right in unit

    done = verify(unit.replace(right, wrong), tmp_path)

    assert (done.returncode, done.stderr) != (0, "")


def test_the_unit_starts_what_pipx_and_uv_link() -> None:
    assert EXEC_START in UNIT.read_text().splitlines()
