"""The import contracts of pyproject.toml hold, and each of them catches what it forbids."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import PACKAGES, ROOT


def lint_imports(project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=project,
        # A wide terminal, so that no line of the report is broken in two.
        env=os.environ | {"PYTHONPATH": str(project), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_hold() -> None:
    done = lint_imports(ROOT)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("contract", "planted"),
    [
        (
            "The daemon and the client share only the protocol",
            {"antidrift_cli/planted.py": "import antidriftd.core.model"},
        ),
        (
            "The daemon and the client share only the protocol",
            {"protocol/planted.py": "import antidriftd.core.model"},
        ),
        ("The daemon's layers", {"antidriftd/planted.py": "x = 'in no layer'"}),
        ("The daemon's layers", {"antidriftd/core/planted.py": "import antidriftd.runtime"}),
        ("The core is pure", {"antidriftd/core/planted.py": "import trio"}),
        ("The core is pure", {"antidriftd/core/drift/planted.py": "from time import monotonic"}),
        ("The protocol does no I/O", {"protocol/planted.py": "import socket"}),
        ("The client starts fast", {"antidrift_cli/commands/planted.py": "import trio"}),
        (
            "Only the composition root names a concrete adapter",
            {"antidriftd/runtime/planted.py": "import antidriftd.adapters.windows.x11"},
        ),
        (
            "Adapters do not know each other",
            {"antidriftd/adapters/windows/planted.py": "import antidriftd.adapters.advisor.port"},
        ),
        (
            "No cycles between the daemon's parts",
            {
                "antidriftd/runtime/chicken.py": "import antidriftd.runtime.egg",
                "antidriftd/runtime/egg.py": "import antidriftd.runtime.chicken",
            },
        ),
        (
            "The wire's types stay at the edges",
            {"antidriftd/runtime/planted.py": "import protocol.views"},
        ),
    ],
)
def test_a_contract_catches_what_it_forbids(
    contract: str, planted: dict[str, str], tmp_path: Path
) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, text in planted.items():
        (tmp_path / module).write_text(text + "\n")

    done = lint_imports(tmp_path)

    assert f"{contract} BROKEN" in done.stdout
