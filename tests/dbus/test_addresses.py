"""Where the buses are looked for."""

import os

import pytest

from antidriftd.dbus.addresses import (
    BusKind,
    session_bus_address,
    socket_path,
    system_bus_address,
)
from antidriftd.dbus.errors import BusError


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        ({}, ""),
        ({"XDG_RUNTIME_DIR": "", "DBUS_SESSION_BUS_ADDRESS": ""}, ""),
        ({"XDG_RUNTIME_DIR": "relative"}, ""),
        ({"XDG_RUNTIME_DIR": "/run/user/1000"}, "unix:path=/run/user/1000/bus"),
        (
            {"XDG_RUNTIME_DIR": "/run/user/1000", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/tmp/x"},
            "unix:path=/tmp/x",
        ),
        ({"XDG_RUNTIME_DIR": "", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"}, "unix:path=/b"),
    ],
)
def test_the_variable_comes_before_the_runtime_directory(
    environ: dict[str, str], address: str
) -> None:
    assert session_bus_address(environ) == address


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        ({}, "unix:path=/run/dbus/system_bus_socket"),
        ({"DBUS_SYSTEM_BUS_ADDRESS": ""}, "unix:path=/run/dbus/system_bus_socket"),
        ({"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/x"}, "unix:path=/tmp/x"),
    ],
)
def test_the_system_bus_has_one_place_unless_the_variable_names_another(
    environ: dict[str, str], address: str
) -> None:
    assert system_bus_address(environ) == address


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"),
        ("unix:guid=1234,path=/tmp/bus", "/tmp/bus"),
        ("unix:abstract=/tmp/dbus-X,guid=12", "\0/tmp/dbus-X"),
        ("tcp:host=localhost,port=1;unix:path=/tmp/bus", "/tmp/bus"),
        ("unix:path=/tmp/a%20b%2cc%c3%a9", "/tmp/a b,cé"),
    ],
)
def test_the_first_unix_socket_is_taken(address: str, path: str) -> None:
    assert socket_path(address, "session") == path


@pytest.mark.parametrize("name", ["a b", "a;b,c=d", "100%", "naïve", os.fsdecode(b"\xff")])
def test_a_runtime_directory_of_any_name_is_found(name: str) -> None:
    address = session_bus_address({"XDG_RUNTIME_DIR": f"/run/{name}"})

    assert socket_path(address, "session") == f"/run/{name}/bus"


@pytest.mark.parametrize(
    "address", ["", " ", "nonsense", "unix:", "unix:path=", "unix:tmpdir=/tmp", "autolaunch:", ";"]
)
@pytest.mark.parametrize(
    ("kind", "variable"),
    [("session", "DBUS_SESSION_BUS_ADDRESS"), ("system", "DBUS_SYSTEM_BUS_ADDRESS")],
)
def test_what_names_no_socket_is_said_to(address: str, kind: BusKind, variable: str) -> None:
    with pytest.raises(BusError, match=variable) as caught:
        socket_path(address, kind)

    assert "\n" not in str(caught.value)
