"""The shim that moves clocks, built once."""

from pathlib import Path

import pytest

from tests.faults.clocks.shifted import build_shim


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))
