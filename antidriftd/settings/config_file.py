"""Reads config.toml, and refuses it with the place and the remedy."""

import tomllib
from pathlib import Path
from typing import Any

from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import KEYS


def read_config(path: Path, *, named: bool) -> dict[str, Any]:
    """Return the values in config.toml by dotted key; only one that was `named` must exist.

    Raises:
        BadSettings: it can't be read, or isn't one.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        if not named:
            return {}
        raise BadSettings(f"{path}: there is no such file") from error
    except OSError as error:
        raise BadSettings(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{path}: is not valid TOML: {error}") from error
    values: dict[str, Any] = {}
    for name, table in tables.items():
        known = [key for key in KEYS if key.startswith(f"{name}.")]
        if not known:
            tops = sorted({key.partition(".")[0] for key in KEYS})
            raise BadSettings(f"{path}: unknown key `{name}`; allowed are {', '.join(tops)}")
        if not isinstance(table, dict):
            raise BadSettings(f"{path}: `{name}` must be a table with {', '.join(known)}")
        for key, value in table.items():
            values[f"{name}.{key}"] = _checked(path, f"{name}.{key}", value, known)
    return values


def _checked(path: Path, key: str, value: object, known: list[str]) -> object:
    if key not in KEYS:
        raise BadSettings(f"{path}: unknown key `{key}`; allowed are {', '.join(known)}")
    if not KEYS[key].check(value):
        raise BadSettings(f"{path}: `{key}` must be {KEYS[key].allowed}")
    return value
