"""The verb `config`: shows the settings in force, and where each came from."""

import os
from collections.abc import Iterable, Iterator

import msgspec

from antidrift_cli.client import open_client
from antidrift_cli.declaring import verb
from antidrift_cli.errors import NoDaemon
from antidrift_cli.output import say, say_json
from antidrift_cli.table import pad
from antidrift_cli.visible import columns_of, cut
from protocol.views import Config, Setting

_VALUE_COLUMNS = 60
_SOURCE_COLUMNS = 120


@verb(
    examples=[
        "antidrift config",
        "antidrift config --json | jq -r '.settings[] | select(.source != \"default\") | .key'",
    ],
)
def config(*, as_json: bool = False) -> None:
    """Show the settings in force, and where each came from.

    They are those that the daemon read when it started. What differs from the defaults comes first.
    """
    result, json = _ask()
    if as_json:
        say_json(json)
    else:
        say(_lines(result))


def _ask() -> tuple[Config, bytes]:
    try:
        with open_client(os.environ) as client:
            return client.get("config", Config)
    except NoDaemon as error:
        hint = "without one `antidriftd --check-config` tells whether the settings are good"
        raise NoDaemon(f"{error}; {hint}") from error


def _lines(result: Config) -> Iterator[str]:
    given = [each for each in result.settings if each.source != "default"]
    yield f"config.toml: {cut(result.path, _SOURCE_COLUMNS)}"
    yield "set:" if given else "set: nothing"
    yield from _table(given)
    yield "by default:"
    yield from _table(each for each in result.settings if each.source == "default")


def _table(settings: Iterable[Setting]) -> Iterator[str]:
    rows = [(f"{cut(each.key, 40)} = {_value(each)}", each.source) for each in settings]
    widest = max((columns_of(row) for row, _ in rows), default=0)
    for row, source in rows:
        origin = "" if source == "default" else f"  ({_origin(source)})"
        yield f"  {pad(row, widest)}{origin}".rstrip()


def _value(setting: Setting) -> str:
    return cut(msgspec.json.encode(setting.value).decode(), _VALUE_COLUMNS)


def _origin(source: str) -> str:
    return "a flag" if source == "flag" else cut(source, _SOURCE_COLUMNS)
