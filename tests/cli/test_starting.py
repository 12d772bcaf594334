"""How the daemon is started: as this machine can."""

from pathlib import Path

import pytest

from antidrift_cli.starting import how_to_start
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon

BOOTED = "antidrift_cli.starting._BOOTED"


@pytest.mark.parametrize(
    ("there", "hint"),
    [(True, "`systemctl --user start antidriftd`"), (False, "`antidriftd &`")],
)
def test_systemd_is_named_where_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hint: str, *, there: bool
) -> None:
    monkeypatch.setattr(BOOTED, str(tmp_path if there else tmp_path / "none"))

    assert how_to_start().startswith("start it with `antidriftd`")
    assert hint in how_to_start()


@pytest.mark.parametrize("there", [True, False])
def test_doctor_names_the_service_only_where_there_can_be_one(
    daemon: FakeDaemon,
    antidrift: Antidrift,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    there: bool,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(BOOTED, str(tmp_path if there else tmp_path / "none"))
    daemon.close()
    shown = antidrift("doctor")[1]

    assert ("antidrift service install" in shown) == there
    assert ("antidriftd &" in shown) != there
