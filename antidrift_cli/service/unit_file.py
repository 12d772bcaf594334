"""The file that the unit lies in: read, judged, replaced as a whole, and never somebody else's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from antidrift_cli.errors import Failed
from antidrift_cli.service import unit
from protocol import paths


@dataclass(frozen=True, slots=True)
class UnitFile:
    """The unit as it lies there; `text` is None where nothing does."""

    path: Path
    text: str | None

    @property
    def is_ours(self) -> bool:
        """Whether it may be replaced or removed without asking."""
        return self.text is not None and unit.is_ours(self.text)

    def check_it_may_go(self, doing: str) -> None:
        """Make sure that no work of anybody else's is lost.

        Raises:
            Failed: the file was edited or isn't ours; `doing` is the command that goes ahead.
        """
        if self.text is not None and not self.is_ours:
            raise Failed(
                f"{self.path} was changed or written by somebody else: look at it, and if it "
                f"can go: {doing} --force"
            )

    def replace(self, text: str) -> None:
        """Put `text` in its place, whole or not at all.

        Raises:
            Failed: it can't be written.
        """
        from tempfile import NamedTemporaryFile

        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with NamedTemporaryFile(
                "w", encoding="utf-8", dir=self.path.parent, prefix=".antidriftd-", delete=False
            ) as file:
                try:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                    Path(file.name).replace(self.path)
                except BaseException:
                    Path(file.name).unlink()
                    raise
        except OSError as error:
            raise Failed(f"can't write {self.path}: {error.strerror}") from error

    def remove(self) -> None:
        """Take the file away.

        Raises:
            Failed: it can't be removed.
        """
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise Failed(f"can't remove {self.path}: {error.strerror}") from error


def find_unit_file(environ: Mapping[str, str]) -> UnitFile:
    """Return the unit file of this user (systemd.unit(5), "User Unit Search Path").

    Raises:
        Failed: it can't be told what lies there.
    """
    try:
        default_config = paths.config_path({**environ, "ANTIDRIFT_CONFIG": ""})
    except paths.NoHome as error:
        raise Failed(str(error)) from error
    path = Path(default_config).parents[1] / "systemd" / "user" / unit.NAME
    try:
        return UnitFile(path, path.read_text("utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        # A link that leads nowhere is somebody's too.
        return UnitFile(path, "" if path.is_symlink() else None)
    except OSError as error:
        raise Failed(f"can't read {path}: {error.strerror}") from error
