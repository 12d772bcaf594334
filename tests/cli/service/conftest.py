"""What the tests of `antidrift service` share: a fake systemctl and a home of its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.fake_daemon import INFO, FakeDaemon, open_fake_daemon
from tests.cli.service.fake_systemctl import FakeSystemctl


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystemctl:
    """A fake systemctl in the PATH of this process, which has a home of its own."""
    for name in [name for name in os.environ if name.startswith(("ANTIDRIFT", "XDG"))]:
        monkeypatch.delenv(name)
    for name in ("home", "run"):
        (tmp_path / name).mkdir(mode=0o700)
    fake = FakeSystemctl(tmp_path / "fake")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("PATH", f"{fake.folder}:/usr/bin:/bin")
    return fake


@pytest.fixture
def unit(systemctl: FakeSystemctl, tmp_path: Path) -> Path:
    """Where the unit goes."""
    return tmp_path / "home/.config/systemd/user/antidriftd.service"


@pytest.fixture
def outsider(systemctl: FakeSystemctl, tmp_path: Path) -> Iterator[FakeDaemon]:
    """A daemon that answers where the service's would."""
    (tmp_path / "run/antidrift").mkdir(mode=0o700)
    with open_fake_daemon(tmp_path / "run/antidrift") as daemon:
        daemon.path.rename(daemon.path.with_name("antidrift.sock"))
        daemon.info = replace(INFO, pid=17)
        yield daemon
