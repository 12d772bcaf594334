"""What holds for every test."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults import table
from tests.faults.forks import Forks, open_forks

# Run by name only, since they need more than the other tests: `pytest tests/campaign`.
collect_ignore = ["campaign", "semantic"]


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known by which a test that was there before counts in the table of faults."""
    config.addinivalue_line(
        "markers",
        "fault(name, what, runs=1, is_control=False): the test causes this fault so often, and its "
        "failure is a violation; a control passes when it has caught a broken variant",
    )


@pytest.fixture(autouse=True)
def _count_faults(request: pytest.FixtureRequest, record_property: Any) -> None:
    """Put the faults that a test is marked with into the table, as long as it doesn't fail."""
    for mark in request.node.iter_markers("fault"):
        record_property(table.MARKED, table.to_property(table.marked(*mark.args, **mark.kwargs)))


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> Iterator[None]:
    """Let programs that the tests start hear Ctrl-C, wherever the tests themselves run.

    A shell starts its background jobs with SIGINT ignored, and that is inherited (POSIX, "Signals
    and Error Handling" of the shell's language).
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", name="forks")
def daemon_forks() -> Iterator[Forks]:
    """What forks daemons, for all tests that want one: each would else take long to load."""
    with open_forks() as forks:
        yield forks


@pytest.fixture
def tell_fault(record_property: Any) -> table.Tell:
    """Return what puts a fault into the table that stands at the end of the run."""
    return lambda fault: record_property(table.PROPERTY, table.to_property(fault))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of faults."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    told: list[Any] = [
        table.judged(value, failed=report.failed) if name == table.MARKED else value
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name in {table.PROPERTY, table.MARKED}
    ]
    found = table.rows(told)
    if found:
        terminalreporter.write_sep("=", "faults")
        for row in found:
            terminalreporter.write_line(row)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let a skipped test fail a run in CI: what can't be tried there isn't known to work."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if os.environ.get("CI") and skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
