"""Where a setting comes from: what wins over what, and what a path means."""

import os
from pathlib import Path
from typing import Any

import pytest

from antidriftd.settings.keys import KEYS
from antidriftd.settings.loading import Flags, load_settings
from tests.settings.loading import assignment, load, refusal

# --- what wins over what -----------------------------------------------------------------------

CHOICES: list[tuple[str, str, str, str, str]] = [
    # setting, key, variable, flag, value of a kind that all four take
    ("sensor", "sensor.name", "ANTIDRIFT_SENSOR", "sensor", "replay:{}"),
    ("socket", "", "ANTIDRIFT_SOCKET", "socket", "/run/{}.sock"),
    ("state_dir", "", "ANTIDRIFT_STATE_DIR", "state_dir", "/var/{}"),
    ("ai_command", "ai.command", "ANTIDRIFT_AI_CMD", "", "{}"),
]


@pytest.mark.parametrize(("setting", "key", "variable", "flag", "value"), CHOICES)
def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, setting: str, key: str, variable: str, flag: str, value: str
) -> None:
    flags: dict[str, Any] = {flag: value.format("flag")} if flag else {}
    environ = {variable: value.format("environ")}
    toml = assignment(key, f'"{value.format("file")}"') if key else ""

    if flag:
        given_all = load(tmp_path, toml, Flags(**flags), environ=environ)
        assert str(getattr(given_all, setting)) == value.format("flag")
    assert str(getattr(load(tmp_path, toml, environ=environ), setting)) == value.format("environ")
    if key:
        assert getattr(load(tmp_path, toml), setting) == value.format("file")
        assert getattr(load(tmp_path, toml, environ={variable: ""}), setting) == value.format(
            "file"
        )


def test_the_backend_follows_the_same_order(tmp_path: Path) -> None:
    toml = assignment("ai.backend", '"command"')
    environ = {"ANTIDRIFT_AI_BACKEND": "none"}

    assert load(tmp_path, toml, Flags(ai="local"), environ=environ).ai_backend == "local"
    assert load(tmp_path, toml, environ=environ).ai_backend == "none"
    assert load(tmp_path, toml).ai_backend == "command"
    assert load(tmp_path).ai_backend == "local"


def test_marvin_is_the_task_list_of_who_names_its_program(tmp_path: Path) -> None:
    environ = {"ANTIDRIFT_MARVIN_CMD": "marvin today"}

    assert load(tmp_path, environ=environ).task_source == "marvin"
    assert load(tmp_path, '[tasks]\nsource = "none"\n', environ=environ).task_source == "none"
    assert load(tmp_path).task_source == "none"


def test_the_config_itself_can_be_named(tmp_path: Path) -> None:
    for name in ("flag", "environ"):
        text = assignment("limits.connections", str(len(name)))
        (tmp_path / f"{name}.toml").write_text(text)
    environ = {"ANTIDRIFT_CONFIG": str(tmp_path / "environ.toml")}
    flags = Flags(config=str(tmp_path / "flag.toml"))

    assert load(tmp_path, flags=flags, environ=environ).connections == len("flag")
    assert load(tmp_path, environ=environ).connections == len("environ")


def test_a_config_that_a_flag_names_must_exist(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"

    assert str(missing) in refusal(tmp_path, flags=Flags(config=str(missing)))
    assert load(tmp_path, environ={"ANTIDRIFT_CONFIG": str(missing)}).connections == 64


@pytest.mark.parametrize("variable", ["ANTIDRIFT_SENSOR", "ANTIDRIFT_AI_BACKEND"])
def test_a_bad_variable_is_refused_by_its_name(tmp_path: Path, variable: str) -> None:
    assert refusal(tmp_path, environ={variable: "hal"}).startswith(f"{variable}: 'hal' must be ")


def test_the_defaults_need_nothing_but_a_home() -> None:
    home = Path("/home/nobody-here")
    made = load_settings(Flags(), {"HOME": str(home)})

    assert made.state_dir == home / ".local" / "state" / "antidrift"
    assert made.socket == made.state_dir / "run" / "antidrift.sock"
    assert made.config == home / ".config" / "antidrift" / "config.toml"
    assert (made.sensor, made.ai_backend) == ("auto", "local")


# --- paths -------------------------------------------------------------------------------------


def test_a_tilde_is_the_home(tmp_path: Path) -> None:
    flags = Flags(socket="~/s", state_dir="~/state")

    made = load(tmp_path, flags=flags)
    assert (made.socket, made.state_dir) == (tmp_path / "s", tmp_path / "state")


def test_relative_paths_are_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    made = load(tmp_path, flags=Flags(socket="s", state_dir="state"))
    assert (made.socket, made.state_dir) == (tmp_path / "s", tmp_path / "state")


def test_a_socket_path_may_have_107_bytes(tmp_path: Path) -> None:
    fits = "/" + "x" * 106

    assert load(tmp_path, flags=Flags(socket=fits)).socket == Path(fits)
    assert "108 bytes long" in refusal(tmp_path, flags=Flags(socket=fits + "x"))
    assert "108 bytes long" in refusal(tmp_path, environ={"ANTIDRIFT_SOCKET": "/" + "é" * 53 + "x"})


def test_a_relative_socket_path_that_gets_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.chdir(deep)

    message = refusal(tmp_path, flags=Flags(socket="s"))
    assert str(deep / "s") in message
    assert len(os.fsencode(deep / "s")) > 107


# --- where each came from ----------------------------------------------------------------------


def test_each_setting_knows_where_it_came_from(tmp_path: Path) -> None:
    toml = "[drift]\ndwell_secs = 2\n[sensor]\nname = 'x11'\n"
    environ = {"ANTIDRIFT_SENSOR": "none", "ANTIDRIFT_STATE_DIR": "/var/state"}
    flags = Flags(ai="none", socket="/run/s")
    made = load(tmp_path, toml, flags, environ)

    assert made.chosen["ai.backend"] == ("none", "flag")
    assert made.chosen["socket"] == ("/run/s", "flag")
    assert made.chosen["sensor.name"] == ("none", "ANTIDRIFT_SENSOR")
    assert made.chosen["state_dir"] == ("/var/state", "ANTIDRIFT_STATE_DIR")
    assert made.chosen["drift.dwell_secs"] == (2, str(made.config))
    assert made.chosen["drift.debounce_secs"] == (10, "default")
    assert made.flags == flags


def test_a_task_list_that_a_variable_brought_says_so(tmp_path: Path) -> None:
    environ = {"ANTIDRIFT_MARVIN_CMD": "marvin today"}

    made = load(tmp_path, environ=environ)
    assert made.chosen["tasks.source"] == ("marvin", "ANTIDRIFT_MARVIN_CMD")


def test_a_list_from_a_file_is_known_as_the_list(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kitty\n")
    made = load(tmp_path, f'[drift]\nterminals = "{tmp_path}/mine.txt"\n')

    assert made.chosen["drift.terminals"] == (("kitty",), str(made.config))
    assert made.chosen["drift.neutral"] == (made.neutral, "default")


def test_every_key_and_both_places_are_among_them(tmp_path: Path) -> None:
    assert set(load(tmp_path).chosen) == {*KEYS, "socket", "state_dir"}
