"""What `antidrift service install` writes is understood by systemd, whatever the paths."""

from pathlib import Path

import pytest

from antidrift_cli.errors import Failed
from antidrift_cli.service.unit import DEFAULT_TARGET, GRAPHICAL_TARGET, is_ours, render
from tests.systemd.test_unit import verify

ODD = [
    "plain",
    "a b",
    "50% %h %% $HOME ${X}",
    "it's",
    'a"b',
    "back\\slash\\",
    "a\\x41;#é{}*",
    "-@:+!|",
]


@pytest.mark.parametrize("target", [DEFAULT_TARGET, GRAPHICAL_TARGET])
@pytest.mark.parametrize("name", ODD)
def test_systemd_accepts_a_unit_with_odd_paths_without_a_word(
    name: str, target: str, tmp_path: Path
) -> None:
    (tmp_path / name).mkdir()
    fit = not {"'", '"', "\\"} & set(name)
    program = tmp_path / (name if fit else "") / "antidriftd"
    program.touch(mode=0o700)
    text = render(program, f"{tmp_path / name}:/bin", target)

    done = verify(text, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert is_ours(text)


@pytest.mark.parametrize("name", ["it's", 'a"b', "back\\slash", "new\nline", "\udcff"])
def test_a_daemon_that_no_unit_can_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Failed, match="install Antidrift elsewhere"):
        render(tmp_path / name / "antidriftd", "/bin", DEFAULT_TARGET)


def test_an_unquoted_percent_sign_would_not_pass(tmp_path: Path) -> None:
    program = tmp_path / "50%h" / "antidriftd"
    program.parent.mkdir()
    program.touch(mode=0o700)
    text = render(program, "/bin", DEFAULT_TARGET)
    assert "50%%h" in text

    done = verify(text.replace("50%%h", "50%h"), tmp_path)
    assert (done.returncode, done.stderr) != (0, "")
