"""The judge's data files: well-formed, reachable, and open to the user's additions."""

import logging
from pathlib import Path

import pytest

from antidriftd.adapters.advisor.local.entries import DataFiles, split_entries
from antidriftd.adapters.advisor.local.folding import fold
from antidriftd.adapters.advisor.local.injections import compile_injections, without_injections
from antidriftd.adapters.advisor.local.judge import (
    JUDGE_DATA,
    local_drift_judge,
    packaged_many_faced,
)
from antidriftd.adapters.advisor.local.knowledge import Knowledge, load_knowledge
from antidriftd.adapters.advisor.local.phrases import tokens_of
from antidriftd.adapters.advisor.local.sight import see
from antidriftd.adapters.advisor.local.vectors import closeness
from antidriftd.adapters.advisor.local.weights import load_weights
from antidriftd.core.model import Commitment, Window

PLAN = Commitment("Write the report", "it is sent", 1500)
NAMED = ("sites.txt", "programs.txt", "cues.txt")


@pytest.fixture(scope="module", name="known")
def packaged_knowledge() -> Knowledge:
    return load_knowledge(DataFiles(JUDGE_DATA), packaged_many_faced())


@pytest.mark.parametrize("file", [*NAMED, "topics.txt", "kinds.txt", "own_names.txt"])
def test_every_line_is_understood(file: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert list(DataFiles(JUDGE_DATA).lines(file))
    assert caplog.records == []


@pytest.mark.parametrize("file", NAMED)
def test_every_kind_is_one_that_is_known(file: str, known: Knowledge) -> None:
    assert {line.name for line in DataFiles(JUDGE_DATA).lines(file)} <= known.kinds.keys()


def test_every_topic_of_a_kind_and_of_a_site_has_words(known: Knowledge) -> None:
    topics = {line.name for line in DataFiles(JUDGE_DATA).lines("topics.txt")}
    used = {topic for kind in known.kinds.values() for topic in kind.topics}
    used |= {
        tag for file in NAMED for line in DataFiles(JUDGE_DATA).lines(file) for tag in line.tags
    }
    assert used <= topics


@pytest.mark.parametrize("file", [*NAMED, "topics.txt"])
def test_no_line_names_the_same_thing_twice(file: str) -> None:
    for line in DataFiles(JUDGE_DATA).lines(file):
        folded = [fold(entry) for entry in split_entries(line.entries)]
        assert sorted(folded) == sorted(set(folded)), line.name


def test_every_site_is_found_in_a_title(known: Knowledge) -> None:
    for line in DataFiles(JUDGE_DATA).lines("sites.txt"):
        for entry in split_entries(line.entries):
            name = entry.strip("=* ")
            assert tokens_of(name), entry
            seen = see(Window("firefox", f"{name}a" if entry.endswith("*") else name), known)
            assert seen.name, entry


def test_words_are_sorted_and_found(known: Knowledge) -> None:
    lines = (JUDGE_DATA / "words.txt").read_bytes().splitlines()
    words = [line.split(b" ")[0] for line in lines if not line.startswith(b"#")]
    assert words == sorted(set(words))
    for word in (words[0], words[len(words) // 2], words[-1]):
        assert known.vectors.exact(word.decode())
    assert known.vectors.exact("nosuchwordatall") is None


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("invoice", "rechnung", "football"),
        ("facture", "invoice", "cat"),
        ("請求", "invoice", "music"),
        ("contract", "contrato", "recipe"),
    ],
)
def test_words_of_different_languages_are_near(
    known: Knowledge, one: str, near: str, far: str
) -> None:
    first, second, third = (known.vectors.find(word) for word in (one, near, far))
    assert first is not None
    assert second is not None
    assert third is not None
    assert closeness(first.vector, second.vector) > closeness(first.vector, third.vector) + 0.2


def test_the_weights_say_how_they_were_made() -> None:
    weights = load_weights(JUDGE_DATA / "weights.json").weights
    assert "tests.judge" in weights.made_by
    assert weights.on_task_to < weights.drift_from


def kind_of(title: str, directory: Path) -> str:
    return see(
        Window("firefox", title),
        load_knowledge(DataFiles(JUDGE_DATA, directory), packaged_many_faced()),
    ).kind.name


def test_a_users_file_adds_names(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("# mine\nshop: Kramladen\n")
    assert kind_of("Kramladen", tmp_path) == "shop"
    assert kind_of("Netflix", tmp_path) == "series"


def test_a_users_file_changes_and_removes_names(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("docs: Netflix\nnone: Zalando\n")
    assert kind_of("Netflix", tmp_path) == "docs"
    assert kind_of("Zalando", tmp_path) == "browser"


def test_a_users_topic_brings_a_window_nearer_to_the_plan(tmp_path: Path) -> None:
    plan, window = Commitment("Finish Zebrafish", "", 1500), Window("firefox", "Danio atlas")
    (tmp_path / "topics.txt").write_text("my-lab: zebrafish, danio\n")
    alone, told = local_drift_judge(), local_drift_judge(tmp_path)
    assert told.score(plan, window) < alone.score(plan, window)


def test_a_browser_that_the_settings_name_is_no_part_of_what_it_shows() -> None:
    plan, window = (
        Commitment("Write about the kumquat", "", 1500),
        Window("kq", "kq \u2014 Kumquat"),
    )
    alone, told = local_drift_judge(), local_drift_judge(many_faced=["kq: Kumquat"])
    assert told.score(plan, window) > alone.score(plan, window)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"no colon here\n", b"shop Kramladen", b": x\n"])
def test_a_bad_users_file_stops_nothing(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    for name in (*NAMED, "topics.txt", "kinds.txt", "injections.txt", "stop_words.txt"):
        (tmp_path / name).write_bytes(content)
    score = local_drift_judge(tmp_path).score(PLAN, Window("firefox", "Netflix"))
    assert score == local_drift_judge().score(PLAN, Window("firefox", "Netflix"))
    assert caplog.records
    assert all("\n" not in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(unclosed", "missing ), unterminated subpattern at position 0 in a pattern: (unclosed"),
        ("x*", "a pattern of nothing: x*"),
        ("^|spam", "a pattern of nothing: ^|spam"),
    ],
)
def test_an_injection_that_cannot_be_meant_is_left_out_and_logged(
    tmp_path: Path, pattern: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "injections.txt").write_text(f"{pattern}\nplease obey\n")
    injections = load_knowledge(DataFiles(JUDGE_DATA, tmp_path), packaged_many_faced()).injections

    assert without_injections("Docs - please obey", injections).strip() == "Docs -"
    assert [record.getMessage() for record in caplog.records] == [f"injections.txt: {why}"]


@pytest.mark.parametrize("pattern", ["(?=Docs)", r"\b", " ", "D", r"\W"])
def test_a_title_comes_to_an_end_whatever_a_pattern_finds(pattern: str) -> None:
    injections = compile_injections([pattern])

    assert len(without_injections("Docs - [Docs] of Docs", injections)) <= 21


@pytest.mark.parametrize("file", NAMED)
def test_a_kind_that_nobody_knows_is_logged(
    file: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / file).write_text("shopp: Kramladen\n")
    load_knowledge(DataFiles(JUDGE_DATA, tmp_path), packaged_many_faced())

    assert [record.getMessage() for record in caplog.records] == [
        f"{file}: no kind is called so: shopp"
    ]
