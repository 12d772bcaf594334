"""What the history's tests share: a state directory that this process's environment names."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.history.past import BERLIN, set_zone


@pytest.fixture
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory, not made yet."""
    path = tmp_path / "state"
    monkeypatch.setenv("ANTIDRIFT_STATE_DIR", str(path))
    return path


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has this process live in a zone an hour or two ahead of UTC."""
    with monkeypatch.context() as patch:
        set_zone(patch, BERLIN)
        yield
    time.tzset()


@pytest.fixture
def kathmandu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has this process live in a zone that is three quarters of an hour off."""
    with monkeypatch.context() as patch:
        set_zone(patch, "NPT-5:45")
        yield
    time.tzset()
