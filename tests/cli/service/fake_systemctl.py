"""A `systemctl` on disk that records what it was told, and answers as it was set."""

from pathlib import Path

_PROGRAM = """#!/bin/sh
cd '{folder}' || exit
shift 2  # --user --no-pager
echo "$*" >>orders
if [ -e no_bus ]; then
    echo "Failed to connect to bus: No medium found" >&2
    exit 1
fi
case $* in
    "show --property=Version") echo Version=252 ;;
    "is-active graphical-session.target") cat target ;;
    "show antidriftd.service "*) cat service ;;
    *) [ ! -e "refuses_$1" ] || {{ echo "Failed to $1: no" >&2; exit 1; }} ;;
esac
"""

ACTIVE = """UnitFileState=enabled
ActiveState=active
SubState=running
ActiveEnterTimestamp=Fri 2026-01-02 12:00:00 UTC
Result=success
ExecMainCode=0
ExecMainStatus=0
MainPID=17
"""
DEAD = """UnitFileState=enabled
ActiveState=failed
SubState=failed
ActiveEnterTimestamp=
Result=exit-code
ExecMainCode=1
ExecMainStatus=1
MainPID=0
"""
UNKNOWN = """UnitFileState=
ActiveState=inactive
SubState=dead
ActiveEnterTimestamp=
Result=success
ExecMainCode=0
ExecMainStatus=0
MainPID=0
"""
"""What a real one prints of a unit that there is not."""

FIRST = ["daemon-reload", "reenable antidriftd.service", "restart antidriftd.service"]
AGAIN = ["enable antidriftd.service", "start antidriftd.service"]
REMOVED = ["disable --now antidriftd.service", "daemon-reload"]


class FakeSystemctl:
    """Says, unless told otherwise, that a desktop runs and that the service is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        program = folder / "systemctl"
        program.write_text(_PROGRAM.format(folder=folder))
        program.chmod(0o700)
        self.reach_desktop(reached=True)
        self.set_service(UNKNOWN)

    def reach_desktop(self, *, reached: bool) -> None:
        """Say whether graphical-session.target is reached."""
        (self.folder / "target").write_text("active\n" if reached else "inactive\n")

    def set_service(self, properties: str) -> None:
        """Say how the service does."""
        (self.folder / "service").write_text(properties)

    def lose_bus(self) -> None:
        """Reach no user manager any more."""
        (self.folder / "no_bus").touch()

    def refuse(self, order: str) -> None:
        """Fail when told `order`."""
        (self.folder / f"refuses_{order}").touch()

    def orders(self) -> list[str]:
        """Return what it was told since the last time, questions apart."""
        log = self.folder / "orders"
        orders = log.read_text().splitlines() if log.exists() else []
        log.write_text("")
        return [order for order in orders if not order.startswith(("show", "is-active"))]
