"""A session that has just begun."""

from antidriftd.core.rules import Rules
from tests.builders import RULES, Machine


def running(
    *classes: str,
    titles: tuple[str, ...] = (),
    rules: Rules = RULES,
    timebox_secs: int | None = None,
) -> Machine:
    """Return a machine in a session with these classes and titles allowed."""
    machine = Machine(rules)
    machine.start(*classes, titles=titles, timebox_secs=timebox_secs)
    return machine
