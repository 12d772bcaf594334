"""What a fault test has found: how often it ran, and what was wrong."""

from dataclasses import dataclass, field

TRACEBACK = "Traceback (most recent call last)"


@dataclass(slots=True)
class Findings:
    """Collects what is wrong, so that a test can report before it asserts."""

    runs: int = 0
    wrong: list[str] = field(default_factory=list)

    def look(self, what: str, *, is_right: bool) -> None:
        """Note that `what` is wrong, unless it is right."""
        if not is_right:
            self.wrong.append(what)

    def look_at_log(self, log: str, *, max_lines: int) -> None:
        """Note a traceback in a daemon's log, and that it is longer than `max_lines`."""
        self.look(f"a traceback: {log}", is_right=TRACEBACK not in log)
        lines = log.count("\n")
        self.look(f"{lines} lines in the log, not {max_lines}", is_right=lines <= max_lines)
