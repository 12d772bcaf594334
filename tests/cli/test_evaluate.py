"""The verb `evaluate`, from the command line to the judge and back."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from antidriftd.core.recording_state import AnswerGiven
from tests.checkout import ROOT
from tests.cli.history.past import ended, led_away, stretches, write_history
from tests.fakes.absent import without

CASES = [
    {
        "id": "one",
        "commitment": {"next_action": "Fix the importer, AB-12", "success_condition": "tests pass"},
        "window": {"class": "firefox", "title": "Funny cats compilation - YouTube"},
        "label": "drift",
        "kind": "video",
        "lang": "en",
        "why": "an unknown member does no harm",
    },
    {
        "id": "two",
        "commitment": {"next_action": "Fix the importer, AB-12"},
        "window": {"class": "firefox", "title": "[AB-12] Importer crashes - Jira"},
        "label": "on_task",
    },
    {
        "id": "three",
        "commitment": {"next_action": "Fix the importer, AB-12"},
        "window": {"class": "", "title": ""},
        "label": "neutral",
    },
]


@pytest.fixture(name="file")
def file_of_cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n\n".join(json.dumps(case) for case in CASES) + "\n")
    return path


def evaluate(
    *arguments: str | Path, home: Path, hidden: str = ""
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "antidrift_cli", "evaluate", *map(str, arguments)]
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    if hidden:
        environ["PYTHONPATH"] = f"{without(home, hidden)}:{ROOT}"
    environ["XDG_RUNTIME_DIR"] = "/run"  # nothing is made there, but a socket's path must be short
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_cases_come_in_order_with_verdict_score_and_reason(file: Path, tmp_path: Path) -> None:
    done = evaluate(file, "--cases", home=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == ["one", "two", "three"]
    assert [line["verdict"] for line in lines] == ["drift", "on_task", "unsure"]
    assert [set(line) for line in lines] == [{"id", "label", "verdict", "score", "reason"}] * 3
    assert lines[0]["score"] > lines[1]["score"]


def test_json_is_one_object_with_the_figures(file: Path, tmp_path: Path) -> None:
    done = evaluate(file, "--json", home=tmp_path)
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["cases"] == 3
    assert (found["precision"], found["recall"], found["false_interrupt_rate"]) == (1, 1, 0)
    assert found["auc"] == 1
    assert found["by_kind"]["video"]["cases"] == 1


@pytest.mark.parametrize("option", ["--cases", "--json"])
def test_what_a_terminal_must_not_get_leaves_the_json_valid(tmp_path: Path, option: str) -> None:
    odd = "soft\u00adhyphen \u0085 \u2028 \u202e"
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({**CASES[0], "id": odd, "kind": odd}, ensure_ascii=False) + "\n")
    done = evaluate(file, option, home=tmp_path)
    found: dict[str, Any] = json.loads(done.stdout)

    assert done.stdout.isascii()
    assert found["id"] == odd if option == "--cases" else odd in found["by_kind"]


def test_a_person_gets_a_table(file: Path, tmp_path: Path) -> None:
    done = evaluate(file, home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("3 cases, judged by local")
    assert "by language" in done.stdout


def test_a_backend_that_is_not_installed_is_refused_with_what_installs_it(
    file: Path, tmp_path: Path
) -> None:
    done = evaluate(file, "--backend", "semantic", home=tmp_path, hidden="onnxruntime")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "pip install 'antidriftd[semantic]'" in done.stderr


def test_another_backend_judges_one_case_at_a_time(file: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text('#!/bin/sh\ncat > /dev/null\necho \'{"on_task": false, "reason": "no"}\'\n')
    answer.chmod(0o700)
    config = tmp_path / ".config" / "antidrift" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[ai]\ncommand = "{answer}"\n')
    done = evaluate(file, "--backend", "command", "--cases", home=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["verdict"], line["score"]) for line in lines] == [("drift", 1.0)] * 3


def test_a_backend_without_an_answer_cannot_tell(file: Path, tmp_path: Path) -> None:
    config = tmp_path / ".config" / "antidrift" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[ai]\nbackend = "command"\ncommand = "/bin/false"\n')
    done = evaluate(file, "--cases", home=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["verdict"], line["score"]) for line in lines] == [("unsure", 0.5)] * 3


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "cases.jsonl:2: "),
        ("[]", "cases.jsonl:2: "),
        ('{"id": "a"}', "missing required field `commitment`"),
        (json.dumps(CASES[1] | {"label": "maybe"}), "maybe"),
        (json.dumps(CASES[1] | {"window": {"class": 1}}), "window"),
        ("\udcff", "cases.jsonl:2: "),
    ],
)
def test_a_bad_line_is_named_in_one_line(tmp_path: Path, line: str, complaint: str) -> None:
    file = tmp_path / "cases.jsonl"
    text = json.dumps(CASES[0]) + "\n" + line + "\n"
    file.write_bytes(text.encode(errors="surrogateescape"))
    done = evaluate(file, home=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_missing_or_empty_file_is_a_usage_error(tmp_path: Path) -> None:
    assert evaluate(tmp_path / "none.jsonl", home=tmp_path).returncode == 2
    (tmp_path / "empty.jsonl").write_text("\n")
    done = evaluate(tmp_path / "empty.jsonl", "--json", home=tmp_path)
    assert done.returncode == 2
    assert "no case" in json.loads(done.stdout)["error"]["message"]


def test_an_unknown_backend_is_a_usage_error(file: Path, tmp_path: Path) -> None:
    done = evaluate(file, "--backend", "oracle", home=tmp_path)
    assert done.returncode == 2
    assert "oracle" in done.stderr
    assert done.stderr.count("\n") == 1


def test_own_answers_are_judged_and_it_is_said_that_titles_are_missing(tmp_path: Path) -> None:
    rows = stretches("s1", ("steam", 60.0, "drift"))
    state_dir = tmp_path / ".local" / "state" / "antidrift"
    state_dir.mkdir(parents=True)
    answers = [led_away("s1", "a game"), said_of("s1", "steam")]
    write_history(state_dir, [*answers, *rows, ended(rows)])
    done = evaluate("--history", "--json", home=tmp_path)

    assert json.loads(done.stdout)["cases"] == 2
    assert done.stderr == (
        "titles are missing (history.titles): of 2 answers 2 are judged by the window class alone\n"
    )


def test_without_answers_of_ones_own_it_says_so(tmp_path: Path) -> None:
    done = evaluate("--history", home=tmp_path)

    assert done.returncode == 2
    assert "there is no answer of yours in the history" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("--history", "cases.jsonl")])
def test_it_is_a_file_or_the_history(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = evaluate(*arguments, home=tmp_path)

    assert done.returncode == 2
    assert "give a FILE or --history" in done.stderr


def said_of(session_id: str, window_class: str) -> AnswerGiven:
    return replace(led_away(session_id, ""), window_class=window_class)
