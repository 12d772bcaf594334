"""The page on the protocol names everything that can cross the wire."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from protocol import connection, views
from protocol.errors import CODES
from protocol.methods import METHODS, Outcome

PAGE = Path(__file__).parents[1].joinpath("docs", "protocol.md").read_text()


def is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def members(kind: type[msgspec.Struct], prefix: str = "") -> Iterator[str]:
    """Name each member of a view as the page does: `drift.open.reason`, `notices?`."""
    for field in msgspec.structs.fields(kind):
        name = prefix + field.encode_name
        yield name if field.required else f"{name}?"
        inner = [each for each in (field.type, *get_args(field.type)) if is_struct(each)]
        is_list = getattr(field.type, "__origin__", None) is tuple
        for each in inner:
            if each is not views.Subject:  # its two members are told beside each use
                yield from members(each, f"{name}[]." if is_list else f"{name}.")


def row(cell: str) -> str:
    return f"\n| `{cell}` |"


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_and_param_is_documented(method: str) -> None:
    assert row(method) in PAGE
    line = PAGE[PAGE.index(row(method)) + 1 :].partition("\n")[0]

    for param in msgspec.structs.fields(METHODS[method].params):
        assert f"`{param.name}{'' if param.required else '?'}`" in line


@pytest.mark.parametrize("member", list(members(views.State)))
def test_every_member_of_the_state_is_documented(member: str) -> None:
    assert row(member) in PAGE.partition("\n## State\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("member", list(members(views.Info)))
def test_every_member_of_the_info_is_documented(member: str) -> None:
    assert row(member) in PAGE.partition("\n## Info\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("member", list(members(views.Why)))
def test_every_member_of_the_explanation_is_documented(member: str) -> None:
    assert row(member) in PAGE.partition("\n## Why\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("member", list(members(views.Config)))
def test_every_member_of_the_config_is_documented(member: str) -> None:
    assert row(member) in PAGE.partition("\n## Config\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("member", list(members(views.Diagnosis)))
def test_every_member_of_the_diagnosis_is_documented(member: str) -> None:
    assert row(member) in PAGE.partition("\n## Diagnosis\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize(("kind", "code"), list(CODES.items()))
def test_every_error_is_documented(kind: str, code: int) -> None:
    assert f"\n| {code} | `{kind}` |" in PAGE


@pytest.mark.parametrize(
    ("section", "member", "view"),
    [
        ("State", "coach.status", views.Coach),
        ("State", "knowledge.status", views.Knowledge),
        ("State", "tasks.status", views.Tasks),
        ("State", "away.reason", views.Away),
        ("State", "absence.reason", views.Absence),
        ("Why", "rule", views.Why),
        ("Diagnosis", "findings[].status", views.Finding),
    ],
)
def test_every_word_of_a_member_is_documented_beside_it(
    section: str, member: str, view: type[msgspec.Struct]
) -> None:
    part = PAGE.partition(f"\n## {section}\n")[2]
    line = part[part.index(row(member)) + 1 :].partition("\n")[0]
    [words] = [
        f.type for f in msgspec.structs.fields(view) if f.name == member.rsplit(".", maxsplit=1)[-1]
    ]

    for word in get_args(words):
        assert f"`{word}`" in line


@pytest.mark.parametrize(
    "words",
    [views.Runtime, views.DriftStatus, views.EvidenceStatus, views.SensorStatus, Outcome],
    ids=str,
)
def test_every_word_that_a_member_can_be_is_documented(words: object) -> None:
    for word in get_args(words):
        assert f"`{word}`" in PAGE


def test_the_limits_are_documented() -> None:
    assert f"{connection.MAX_REQUEST_BYTES:,}" in PAGE
    assert f"{connection.MAX_REPLY_BYTES:,}" in PAGE
