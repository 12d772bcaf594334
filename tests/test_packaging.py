"""What is built for others to install is complete, and holds nothing else."""

import ast
import stat
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.checkout import PACKAGES, ROOT, kept_files


def build(target: str, project: Path, folder: Path) -> Path:
    """Return what building `target` (wheel or sdist) of `project` leaves in the new `folder`.

    hatchling itself is called: pip would first fetch it from the network.
    """
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=project,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The wheel's files: name -> text."""
    return read_wheel(build("wheel", ROOT, tmp_path_factory.mktemp("built") / "wheel"))


def read_wheel(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that unpacking the source distribution gives."""
    folder = tmp_path_factory.mktemp("unpacked")
    archive = build("sdist", ROOT, tmp_path_factory.mktemp("built") / "sdist")
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
    (project,) = folder.iterdir()
    return project


def test_the_wheel_has_every_file_of_the_packages_and_no_other(wheel: dict[str, str]) -> None:
    files = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }

    assert {
        name for name in wheel if name.startswith(tuple(f"{each}/" for each in PACKAGES))
    } == files
    others = {name for name in wheel if ".dist-info/" not in name} - files
    assert [name.partition("/")[2] for name in others] == ["scripts/antidrift"]


def test_the_wheel_says_that_its_packages_are_typed(wheel: dict[str, str]) -> None:
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(wheel)


def test_the_wheel_carries_its_licence(wheel: dict[str, str]) -> None:
    (licence,) = (text for name, text in wheel.items() if name.endswith("/licenses/LICENSE"))

    assert licence == (ROOT / "LICENSE").read_text()


def test_the_wheel_installs_two_programs_that_exist(wheel: dict[str, str]) -> None:
    (entry_points,) = (text for name, text in wheel.items() if name.endswith("/entry_points.txt"))
    header, *lines = entry_points.splitlines()
    programs = dict(line.split(" = ") for line in lines)
    (script,) = (text for name, text in wheel.items() if name.endswith("/scripts/antidrift"))

    assert header == "[console_scripts]"
    assert set(programs) == {"antidriftd"}
    assert callable(EntryPoint("antidriftd", programs["antidriftd"], "console_scripts").load())
    # What an installer puts its own interpreter in place of, and makes executable.
    assert script.startswith("#!python\n")
    assert (ROOT / "antidrift_cli/data/antidrift").stat().st_mode & stat.S_IXUSR


def test_the_script_imports_nothing_but_the_client() -> None:
    script = ast.parse((ROOT / "antidrift_cli/data/antidrift").read_text())
    imports = [node for node in ast.walk(script) if isinstance(node, ast.Import | ast.ImportFrom)]

    assert [ast.unparse(each) for each in imports] == ["from antidrift_cli.__main__ import main"]


def test_the_source_distribution_gives_the_same_wheel(
    source: Path, wheel: dict[str, str], tmp_path: Path
) -> None:
    assert read_wheel(build("wheel", source, tmp_path / "wheel")) == wheel


def test_the_source_distribution_has_what_git_keeps_and_no_litter(source: Path) -> None:
    files = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}

    assert files - {"PKG-INFO"} == kept_files()
