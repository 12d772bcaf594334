"""Our X display, offered to a daemon that has none."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from antidrift_cli.client import open_client
from protocol import views
from protocol.errors import RpcError
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import IDLE, PLANNING

BLIND = replace(IDLE, sensor=views.Sensor(name="auto", status="unavailable"))


def ask(environ: Mapping[str, str]) -> views.State:
    with open_client(environ) as connection:
        return connection.ask("state").state


ENVIRON: Mapping[str, str] = {"DISPLAY": ":7", "XAUTHORITY": "/x", "XDG_SESSION_TYPE": "x11"}


@pytest.mark.parametrize("name", ["auto", "x11"])
def test_our_display_is_offered_to_a_daemon_that_looks_for_one(
    daemon: FakeDaemon, name: str
) -> None:
    daemon.state = replace(IDLE, sensor=views.Sensor(name=name, status="unavailable"))
    daemon.answers["display"] = PLANNING

    assert ask({**daemon.environ, **ENVIRON}) == PLANNING
    assert daemon.params("display") == {
        "display": ":7",
        "xauthority": "/x",
        "session_type": "x11",
    }


def test_in_a_wayland_session_that_is_said(daemon: FakeDaemon) -> None:
    daemon.state = BLIND
    ask({**daemon.environ, "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"})

    assert daemon.params("display") == {"display": ":0", "session_type": "wayland"}


def test_it_is_offered_once_a_connection(daemon: FakeDaemon) -> None:
    daemon.state = BLIND
    with open_client({**daemon.environ, **ENVIRON}) as connection:
        connection.ask("state")
        connection.ask("state")

    assert daemon.methods() == ["state", "display", "state"]


def test_that_it_is_refused_is_not_worth_a_word(daemon: FakeDaemon) -> None:
    daemon.state = BLIND
    daemon.answers["display"] = RpcError("method_not_found", "what?")

    assert ask({**daemon.environ, **ENVIRON}) == BLIND


@pytest.mark.parametrize(
    "sensor",
    [
        views.Sensor(name="x11", status="ok"),
        views.Sensor(name="none", status="unavailable"),
        views.Sensor(name="replay", status="unavailable"),
    ],
    ids=str,
)
def test_a_daemon_that_looks_for_none_is_offered_none(
    daemon: FakeDaemon, sensor: views.Sensor
) -> None:
    daemon.state = replace(IDLE, sensor=sensor)
    ask({**daemon.environ, **ENVIRON})

    assert daemon.methods() == ["state"]


@pytest.mark.parametrize("environ", [{}, {"DISPLAY": ""}])
def test_without_a_display_none_is_offered(daemon: FakeDaemon, environ: Mapping[str, str]) -> None:
    daemon.state = BLIND
    ask({**daemon.environ, **environ})

    assert daemon.methods() == ["state"]


def test_a_verb_that_asks_for_no_state_offers_it_too(daemon: FakeDaemon) -> None:
    daemon.state = BLIND
    daemon.answers |= {"display": PLANNING, "why": views.Why(rule="none")}
    with open_client({**daemon.environ, **ENVIRON}) as connection:
        connection.get("why", views.Why)

    assert daemon.methods() == ["state", "display", "why"]
