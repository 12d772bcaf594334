"""The constant that stands in for the package's metadata."""

import tomllib
from pathlib import Path

from protocol.version import PROTOCOL_VERSION, VERSION, speaks_our_protocol


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text())

    assert project["project"]["version"] == VERSION


def test_only_the_same_protocol_is_understood() -> None:
    assert speaks_our_protocol(PROTOCOL_VERSION)
    assert not speaks_our_protocol(PROTOCOL_VERSION + 1)
    assert not speaks_our_protocol(PROTOCOL_VERSION - 1)
