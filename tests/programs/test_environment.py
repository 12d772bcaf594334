"""Which environment variables a program gets."""

import pytest

from antidriftd.programs.environment import program_environ


@pytest.mark.parametrize(
    "name",
    [
        *("HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"),
        *("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
        *("no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
        *("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    ],
)
def test_what_a_program_needs_is_passed(name: str) -> None:
    assert program_environ({name: "value"}) == {name: "value"}


@pytest.mark.parametrize(
    "name",
    [
        *("USER", "DISPLAY", "XAUTHORITY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "TMPDIR"),
        *("ANTIDRIFT_AI_CMD", "OPENAI_API_KEY", "LD_PRELOAD", "PYTHONPATH", "Http_Proxy", "LC", ""),
        *("home", "xdg_config_home", "XPATH", "PATH_EXTRA", "MY_LC_ALL"),
    ],
)
def test_nothing_else_is_passed(name: str) -> None:
    assert program_environ({name: "value"}) == {}


def test_what_was_asked_for_by_name_is_passed_if_it_is_set() -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_API_KEY_2": "l", "HOME": "/h"}
    passed = program_environ(environ, ["OPENAI_API_KEY", "NOT_SET"])
    assert passed == {"OPENAI_API_KEY": "k", "HOME": "/h"}
