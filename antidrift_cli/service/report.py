"""How the service does, in the words of a person and as JSON."""

from dataclasses import dataclass

from antidrift_cli.service import unit
from antidrift_cli.service.systemctl import Service
from antidrift_cli.service.unit_file import UnitFile

_BAD_CONFIG = 78
_JOURNAL = "journalctl --user -u antidriftd -n 20"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that is known of the service; `stranger` is the daemon outside it."""

    file: UnitFile
    service: Service
    wanted: str
    stranger: int | None

    @property
    def condition(self) -> str:
        """What may be said of the unit file, in a word or two."""
        text = self.file.text
        if text is None:
            return "not installed"
        if not self.file.is_ours:
            return "not ours, or edited"
        return "up to date" if unit.is_same_version(text, self.wanted) else "older"

    @property
    def why(self) -> str:
        """Why it doesn't run, with what tells more; empty while it does or was never asked to."""
        service = self.service
        if service.is_active or service.result in ("", "success"):
            return ""
        code = service.exit_status
        status = f"signal {code}" if service.was_killed else f"exit code {code}"
        more = "antidriftd --check-config" if code == _BAD_CONFIG else _JOURNAL
        return f"{service.result} ({status}); see: {more}"

    def lines(self) -> list[str]:
        """Return the report for a person."""
        service = self.service
        since = f" since {service.since}" if service.is_active and service.since else ""
        lines = [
            f"unit: {self.condition} ({self.file.path})",
            f"enabled: {service.enabled or 'no'}",
            f"active: {service.active} ({service.sub}){since}",
        ]
        return [*lines, f"why: {self.why}"] if self.why else lines

    def members(self) -> dict[str, object]:
        """Return the report for a script."""
        return {
            "unit": str(self.file.path),
            "condition": self.condition,
            "enabled": self.service.enabled,
            "active": self.service.is_active,
            "state": f"{self.service.active} ({self.service.sub})",
            "since": self.service.since,
            "why": self.why,
            "pid_outside_systemd": self.stranger,
        }
