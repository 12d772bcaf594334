"""One rule for the places of files, whatever the environment looks like."""

import os
import pwd
from collections.abc import Mapping

import pytest

from protocol import paths

HOME = {"HOME": "/home/ada"}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({**HOME, "XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/antidrift/antidrift.sock"),
        (HOME, "/home/ada/.local/state/antidrift/run/antidrift.sock"),
        ({**HOME, "XDG_RUNTIME_DIR": ""}, "/home/ada/.local/state/antidrift/run/antidrift.sock"),
        ({**HOME, "XDG_RUNTIME_DIR": "r"}, "/home/ada/.local/state/antidrift/run/antidrift.sock"),
        ({**HOME, "XDG_STATE_HOME": "/var/s"}, "/var/s/antidrift/run/antidrift.sock"),
        ({**HOME, "ANTIDRIFT_STATE_DIR": "~/s"}, "/home/ada/s/run/antidrift.sock"),
        ({**HOME, "ANTIDRIFT_SOCKET": "~/a.sock", "XDG_RUNTIME_DIR": "/r"}, "/home/ada/a.sock"),
        ({**HOME, "ANTIDRIFT_SOCKET": "", "XDG_RUNTIME_DIR": "/r"}, "/r/antidrift/antidrift.sock"),
        ({**HOME, "ANTIDRIFT_SOCKET": "~bob/a.sock"}, "~bob/a.sock"),
    ],
)
def test_the_socket_is_where_the_environment_says(
    environ: Mapping[str, str], expected: str
) -> None:
    assert paths.socket_path(environ) == expected


def test_a_flag_comes_before_the_environment() -> None:
    environ = {
        **HOME,
        "ANTIDRIFT_SOCKET": "/e/a.sock",
        "ANTIDRIFT_STATE_DIR": "/e/state",
        "ANTIDRIFT_CONFIG": "/e/c.toml",
    }

    assert paths.socket_path(environ, "~/f.sock") == "/home/ada/f.sock"
    assert paths.state_dir(environ, "/f/state") == "/f/state"
    assert paths.config_path(environ, "/f/c.toml") == "/f/c.toml"
    assert paths.socket_path(HOME, given_state_dir="/f") == "/f/run/antidrift.sock"


@pytest.mark.parametrize("ignored", ["", "relative/dir"])
def test_state_and_config_have_their_xdg_places(ignored: str) -> None:
    environ = {**HOME, "XDG_STATE_HOME": ignored, "XDG_CONFIG_HOME": ignored}

    assert paths.state_dir(environ) == "/home/ada/.local/state/antidrift"
    assert paths.config_path(environ) == "/home/ada/.config/antidrift/config.toml"
    environ = {**HOME, "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"}
    assert paths.state_dir(environ) == "/s/antidrift"
    assert paths.config_path(environ) == "/c/antidrift/config.toml"


def test_the_prompt_file_lies_beside_the_socket() -> None:
    assert paths.prompt_path("/run/x/a.sock") == "/run/x/prompt"


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "here"}])
def test_without_home_the_user_database_is_asked(environ: Mapping[str, str]) -> None:
    home = pwd.getpwuid(os.getuid()).pw_dir

    assert paths.state_dir(environ) == f"{home}/.local/state/antidrift"


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_socket_path_has_at_most_107_bytes(letter: str) -> None:
    longest = "/" + letter * (106 // len(letter.encode()))
    assert len(longest.encode()) == 107

    assert paths.socket_path({}, longest) == longest
    with pytest.raises(paths.PathTooLong, match=r"108 bytes long.*ANTIDRIFT_SOCKET") as caught:
        paths.socket_path({}, longest + "x")
    assert "\n" not in str(caught.value)
