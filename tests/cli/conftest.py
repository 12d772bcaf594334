"""What the client's tests share: a daemon to talk to, and the client run in this process."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from antidrift_cli.run import run
from tests.cli.editing import Editor
from tests.cli.fake_daemon import FakeDaemon, open_fake_daemon
from tests.cli.samples import ACTIVE, PROPOSED

Outcome = tuple[int, str, str]
Antidrift = Callable[..., Outcome]


@pytest.fixture
def daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDaemon]:
    """A fake daemon that this process's environment points to."""
    for name in [name for name in os.environ if name.startswith(("ANTIDRIFT", "XDG"))]:
        monkeypatch.delenv(name)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with open_fake_daemon(tmp_path) as daemon:
        monkeypatch.setenv("ANTIDRIFT_SOCKET", str(daemon.path))
        yield daemon


@pytest.fixture
def antidrift(capsys: pytest.CaptureFixture[str]) -> Antidrift:
    """Run a verb in this process; gives the exit code and what was printed on either stream."""

    def call(*args: str) -> Outcome:
        code = run(args)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture
def drafts(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where drafts are made, while the daemon has a proposal ready."""
    daemon.state = PROPOSED
    daemon.answers["start"] = ACTIVE
    folder = tmp_path / "drafts"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.delenv("VISUAL", raising=False)
    return folder


@pytest.fixture
def editor(drafts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Makes $EDITOR a program that runs a shell script on the file "$1"."""

    def become(script: str) -> str:
        program = tmp_path / "my editor"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        command = f"'{program}' "
        monkeypatch.setenv("EDITOR", command)
        return command

    return become
