"""The real AI programs, without credentials: what they refuse reaches the user as one line."""

import re
import tempfile
from pathlib import Path

import pytest

from antidriftd.adapters.advisor.port import AdvisorError
from tests.adapters.advisor.asked import ANSWERS, advisor, ask
from tests.fakes.ai import processes_named

# Each program's own words; codex goes on trying for a while where it has no network.
REFUSALS = {
    "claude": r"claude: Not logged in .*",
    "codex": r"codex(:| gave no answer in 90 s; it said:) .+",
    "gemini": r"gemini: no key reaches it; have ai\.pass_env name GEMINI_API_KEY \(.+\)?",
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", ANSWERS)
@pytest.mark.parametrize("backend", REFUSALS)
async def test_a_refusal_is_one_line_and_leaves_nothing_behind(
    backend: str,
    role: str,
    programs: Path,
    environ: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    asked = advisor(backend, timeout_secs=90, environ=environ)
    with pytest.raises(AdvisorError) as caught:
        await ask(asked, role, grounding="I am CANARY-PROFILE.", text="CANARY-TEXT")
    print(f"\n{caught.value}")
    assert re.fullmatch(REFUSALS[backend], str(caught.value))
    assert not processes_named(str(programs.parent))
    assert not list(private.iterdir())
    assert "CANARY" not in written_below(Path(environ["HOME"]))


def written_below(home: Path) -> str:
    files = (path for path in home.rglob("*") if path.is_file())
    return "".join(path.read_bytes().decode(errors="replace") for path in files)
