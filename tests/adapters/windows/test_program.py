"""Sensor programs print what changes, and end with their daemon."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

WAIT_SECS = 30

PREAMBLE = "from antidriftd.adapters.windows.program import *\n"


@contextmanager
def running(source: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a sensor program whose `sense` function is given as source."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", PREAMBLE + source + "\nrun_program(sense)"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def output(source: str) -> tuple[list[str], int]:
    """Return the lines that a program prints, and its exit status."""
    with running(source) as process:
        assert process.stdout is not None
        lines = process.stdout.read().decode().splitlines()
        return lines, process.wait(WAIT_SECS)


def test_a_window_is_told_once_until_another_comes() -> None:
    lines, status = output("""
def sense(printer):
    for title in "aabba":
        printer.window(window_record("X", title, ""))
    for record in (NO_WINDOW, NO_WINDOW, window_record("X", "a", "")):
        printer.window(record)
    for detail in ("", "x", "x", ""):
        printer.detail(detail)
""")

    assert lines == [
        '{"class": "X", "instance": "", "title": "a"}',
        '{"class": "X", "instance": "", "title": "b"}',
        '{"class": "X", "instance": "", "title": "a"}',
        '{"window": null}',
        '{"class": "X", "instance": "", "title": "a"}',
        '{"detail": "x"}',
        '{"detail": ""}',
    ]
    assert status == 0


def test_a_sign_of_life_tells_how_long_ago_input_was() -> None:
    lines, _ = output("""
def sense(printer):
    for idle_secs in (None, 0.0, 12.3):
        printer.alive(idle_secs)
""")

    assert lines == [
        '{"alive": true}',
        '{"alive": true, "idle_secs": 0.0}',
        '{"alive": true, "idle_secs": 12.3}',
    ]


def test_a_failure_is_told_in_one_line() -> None:
    lines, status = output("""
def sense(printer):
    printer.alive()
    raise RuntimeError("two\\nlines")
""")

    assert lines == ['{"alive": true}', '{"unavailable": "two lines"}']
    assert status == 1


def test_a_failure_without_words_has_its_name() -> None:
    lines, _ = output("""
def sense(printer):
    raise MemoryError
""")

    assert lines == ['{"unavailable": "MemoryError"}']


def test_a_program_that_nobody_reads_ends_without_noise() -> None:
    with running("""
def sense(printer):
    while True:
        printer.alive()
""") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() != b""
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait(WAIT_SECS) == 1


@pytest.mark.parametrize(
    "stuck",
    [
        "while True: pass",
        "import time; time.sleep(1000)",
        "import select; select.select([], [], [])",
    ],
)
def test_a_program_ends_with_its_standard_input_even_when_stuck(stuck: str) -> None:
    with running(f"""
def sense(printer):
    printer.alive()
    {stuck}
""") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.close()

        assert process.wait(WAIT_SECS) == -signal.SIGIO


def test_a_program_that_starts_after_its_daemon_has_gone_ends_at_once() -> None:
    command = [sys.executable, "-c", PREAMBLE + "run_program(lambda printer: printer.alive())"]

    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=WAIT_SECS
    )

    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
