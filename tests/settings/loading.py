"""Settings as a user would get them, from a home of their own."""

from pathlib import Path
from typing import TypeAlias

import pytest

from antidriftd.settings.errors import BadSettings
from antidriftd.settings.loading import Flags, Settings, load_settings

Environ: TypeAlias = dict[str, str]


def load(
    home: Path, toml: str = "", flags: Flags | None = None, environ: Environ | None = None
) -> Settings:
    """Return the settings of a user whose config.toml holds `toml`."""
    config = home / ".config" / "antidrift" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(toml)
    # A test's own directory may be too deep for a socket.
    short = {"HOME": str(home), "XDG_RUNTIME_DIR": "/run/user/1000"}
    return load_settings(flags or Flags(), {**short, **(environ or {})})


def refusal(
    home: Path, toml: str = "", flags: Flags | None = None, environ: Environ | None = None
) -> str:
    """Return why there are no settings; it must be one line."""
    with pytest.raises(BadSettings, match=r"\A[^\n]+\Z") as refused:
        load(home, toml, flags, environ)
    return str(refused.value)


def assignment(key: str, value: str) -> str:
    table, _, name = key.partition(".")
    return f"[{table}]\n{name} = {value}\n"
