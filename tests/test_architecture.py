"""The rules of the code that a program can hold; docs/contributing.md gives them in words."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.checkout import PACKAGES, ROOT, committed_files

MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 40
# What breaks a rule, as the rule names it, and why it has to.
EXCUSED = {
    "antidriftd/runtime/systemd.py:ServiceManager": "it is what systemd calls itself",
}

BANNED_WORDS = {"util", "utils", "helper", "helpers", "manager", "common", "base", "misc"}
DIRECTIVE = re.compile(
    r"#\s*(?:(?:ruff:\s*)?(?i:noqa)(?::\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?"
    r"|type:\s*ignore(?:\[[\w, -]*\])?)"
)
BUILD_MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:work|root)/")


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file: its path in the project and its text."""

    name: str
    text: str


@cache
def tree_of(module: Module) -> ast.Module:
    return ast.parse(module.text)


# Yields what breaks the rule: "folder/module.py", or "folder/module.py:" and a name or a line.
Rule = Callable[[Module], Iterator[str]]


def is_short(module: Module) -> Iterator[str]:
    if module.text.count("\n") > MAX_MODULE_LINES:
        yield module.name


def has_short_functions(module: Module) -> Iterator[str]:
    """A docstring doesn't count: nobody should save words there."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = line_count(node)
            if ast.get_docstring(node) is not None:
                lines -= line_count(node.body[0])
            if lines > MAX_FUNCTION_LINES:
                yield f"{module.name}:{node.name}"


def line_count(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def says_first_what_it_is(module: Module) -> Iterator[str]:
    tree = tree_of(module)
    if tree.body and not (module.text.startswith(('"""', 'r"""')) and ast.get_docstring(tree)):
        yield module.name


def names_its_concern(module: Module) -> Iterator[str]:
    """A name such as `utils` doesn't say what belongs there, so everything ends up there."""
    if BANNED_WORDS & set(Path(module.name).stem.lower().split("_")):
        yield module.name
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ClassDef):
            words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", node.name)
            if BANNED_WORDS & {word.lower() for word in words}:
                yield f"{module.name}:{node.name}"


def says_why_it_silences_a_check(module: Module) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT and DIRECTIVE.search(token.string):
            reason = re.findall(r"\w+", DIRECTIVE.sub("", token.string))
            if len(reason) < 2:
                yield f"{module.name}:{token.start[0]}"


RULES: list[Rule] = [
    is_short,
    has_short_functions,
    says_first_what_it_is,
    names_its_concern,
    says_why_it_silences_a_check,
]


def breaches(*rules: Rule) -> set[str]:
    paths = [path for top in (*PACKAGES, "tests") for path in (ROOT / top).rglob("*.py")]
    modules = [Module(str(path.relative_to(ROOT)), path.read_text()) for path in paths]
    return {breach for module in modules for rule in rules for breach in rule(module)}


@pytest.mark.parametrize("rule", RULES)
def test_every_module_keeps_the_rule(rule: Rule) -> None:
    assert breaches(rule) - set(EXCUSED) == set()


def test_nothing_is_excused_that_needs_no_excuse() -> None:
    assert set(EXCUSED) <= breaches(*RULES)


@pytest.mark.parametrize(
    ("rule", "module"),
    [
        (is_short, Module("a.py", "x = 1\n" * 301)),
        (has_short_functions, Module("a.py", "async def f():\n" + "    x = 1\n" * 40)),
        (has_short_functions, Module("a.py", 'def f():\n    """D."""\n' + "    x = 1\n" * 40)),
        (says_first_what_it_is, Module("a.py", "import os\n")),
        (says_first_what_it_is, Module("a.py", '# Comment.\n"""Docstring."""\n')),
        (names_its_concern, Module("core/text_utils.py", "")),
        (names_its_concern, Module("a.py", "class HTTPManager: ...\n")),
        (names_its_concern, Module("a.py", "class Base: ...\n")),
        (says_why_it_silences_a_check, Module("a.py", "x = 1  # noqa: E501, S603\n")),
        (says_why_it_silences_a_check, Module("a.py", "x = 1  # type: ignore[misc]  # ok\n")),
        (says_why_it_silences_a_check, Module("a.py", "# ruff: noqa: E501\n")),
    ],
)
def test_a_rule_catches_what_breaks_it(rule: Rule, module: Module) -> None:
    assert list(rule(module)) != []


def test_a_check_silenced_with_a_reason_is_accepted() -> None:
    text = "x = 1  # type: ignore[misc]  # the library has no types\n"

    assert list(says_why_it_silences_a_check(Module("a.py", text))) == []


def test_every_folder_of_tests_is_a_package() -> None:
    """Otherwise tests/protocol would stand in for the package `protocol`."""
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}

    assert {folder for folder in folders if not (folder / "__init__.py").exists()} == set()


def test_no_committed_file_names_a_path_of_a_build_machine() -> None:
    paths = [ROOT / name for name in committed_files()]
    assert [path for path in paths if BUILD_MACHINE_PATH.search(path.read_bytes())] == []


@pytest.mark.parametrize("folder", [b"work", b"root"])
def test_a_path_of_a_build_machine_is_recognised(folder: bytes) -> None:
    assert BUILD_MACHINE_PATH.search(b"made in /" + folder + b"/main")
