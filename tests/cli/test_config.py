"""The verb `config`: which settings hold, and where each came from."""

import json

import pytest

from protocol.views import Config, Setting
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon

PATH = "/home/ann/.config/antidrift/config.toml"
SETTINGS = Config(
    path=PATH,
    settings=(
        Setting(key="ai.backend", value="claude", source="flag"),
        Setting(key="ai.command", value="", source="default"),
        Setting(key="ai.pass_env", value=("A", "B"), source=PATH),
        Setting(key="drift.dwell_secs", value=2.5, source="default"),
        Setting(key="knowledge.enabled", value=True, source="default"),
        Setting(key="socket", value="/run/s", source="ANTIDRIFT_SOCKET"),
    ),
)


def test_what_was_set_comes_first_with_where(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["config"] = SETTINGS
    code, out, err = antidrift("config")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"config.toml: {PATH}",
        "set:",
        '  ai.backend = "claude"    (a flag)',
        f'  ai.pass_env = ["A","B"]  ({PATH})',
        '  socket = "/run/s"        (ANTIDRIFT_SOCKET)',
        "by default:",
        '  ai.command = ""',
        "  drift.dwell_secs = 2.5",
        "  knowledge.enabled = true",
    ]


def test_nothing_may_be_set(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["config"] = Config(
        path=PATH, settings=(Setting(key="a.b", value=1, source="default"),)
    )

    assert antidrift("config")[1].splitlines()[1:] == ["set: nothing", "by default:", "  a.b = 1"]


def test_as_json_it_is_the_result(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.answers["config"] = SETTINGS
    code, out, err = antidrift("config", "--json")

    assert (code, err) == (0, "")
    assert json.loads(out)["settings"][2] == {
        "key": "ai.pass_env",
        "value": ["A", "B"],
        "source": PATH,
    }


def test_values_from_outside_are_made_visible_and_cut(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    hostile = "x\x1b[2J\u202e" + "日" * 3000
    setting = Setting(key=hostile, value=hostile, source=hostile)
    daemon.answers["config"] = Config(path=hostile, settings=(setting,))
    lines = antidrift("config")[1].splitlines()

    assert len(lines) == 4
    assert all(line.isprintable() and len(line) < 400 for line in lines)


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_without_a_daemon_it_names_what_needs_none(
    antidrift: Antidrift, daemon: FakeDaemon, flags: list[str]
) -> None:
    daemon.close()
    code, out, err = antidrift("config", *flags)

    assert code == 3
    assert "`antidriftd --check-config` tells whether" in out + err
