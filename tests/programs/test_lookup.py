"""Finding a program: by its absolute path or in PATH, and never one that others can replace."""

import os
from pathlib import Path

import pytest

from antidriftd.programs.errors import ProgramError
from antidriftd.programs.lookup import find_program, split_command


def make_program(folder: Path, name: str = "judge", *, mode: int = 0o755) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(mode)
    return program


class TestSplitting:
    @pytest.mark.parametrize(
        ("command", "words"),
        [
            ("judge", ["judge"]),
            ("/opt/my\\ judge -p 'two words' \"\"", ["/opt/my judge", "-p", "two words", ""]),
            ("judge $HOME `id` ; rm *", ["judge", "$HOME", "`id`", ";", "rm", "*"]),
        ],
    )
    def test_words_are_split_as_a_shell_splits_them_and_nothing_more(
        self, command: str, words: list[str]
    ) -> None:
        assert split_command(command) == words

    @pytest.mark.parametrize("command", ["judge 'open", 'judge "open', "judge \\"])
    def test_an_open_quotation_is_one_clear_line(self, command: str) -> None:
        with pytest.raises(ValueError, match=r"^cannot split the command into words: [^\n]+$"):
            split_command(command)

    @pytest.mark.parametrize("command", ["", "  \t\n"])
    def test_an_empty_command_is_refused(self, command: str) -> None:
        with pytest.raises(ValueError, match=r"^the command is empty$"):
            split_command(command)


class TestFinding:
    def test_the_first_in_path_is_found(self, tmp_path: Path) -> None:
        first, second = make_program(tmp_path / "a"), make_program(tmp_path / "b")
        path = f"/no/such/place:{first.parent}:{second.parent}"
        assert find_program("judge", path) == str(first)

    def test_an_absolute_path_is_taken_as_it_is(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "b")
        assert find_program(str(program), "") == str(program)

    def test_a_link_is_kept_so_that_an_update_behind_it_is_followed(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "v1")
        link = tmp_path / "judge"
        link.symlink_to(program)
        assert find_program("judge", str(tmp_path)) == str(link)

    def test_what_cannot_run_is_passed_over(self, tmp_path: Path) -> None:
        plain = make_program(tmp_path / "a", mode=0o644)
        (tmp_path / "b" / "judge").mkdir(parents=True)
        program = make_program(tmp_path / "c")
        path = f"{plain.parent}:{tmp_path / 'b'}:{program.parent}"
        assert find_program("judge", path) == str(program)

    def test_a_missing_program_is_named_with_the_path_that_was_searched(self) -> None:
        with pytest.raises(ProgramError, match=r"^cannot find judge in PATH=/no/such:/nor/this$"):
            find_program("judge", "/no/such:/nor/this")

    def test_a_missing_absolute_path_is_named(self) -> None:
        with pytest.raises(ProgramError, match=r"^cannot run /no/such: No such file or directory$"):
            find_program("/no/such", "/bin")

    @pytest.mark.parametrize("path", ["", ".", ":", "bin", "./bin", "/no/such::"])
    @pytest.mark.fault("T17", "planted program")
    def test_the_working_directory_is_never_searched(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        make_program(tmp_path)
        make_program(tmp_path / "bin")
        monkeypatch.chdir(tmp_path)
        with pytest.raises(ProgramError, match="cannot find judge"):
            find_program("judge", path)

    @pytest.mark.parametrize("name", ["./judge", "bin/judge", "../judge", "~/judge"])
    def test_a_relative_path_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        make_program(tmp_path)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(ProgramError, match=r"^cannot run .*judge: give its absolute path$"):
            find_program(name, str(tmp_path))


@pytest.mark.fault("T17", "planted program")
class TestReplaceable:
    """As root the tests can make what another user would have planted."""

    def assert_refused(self, program: Path) -> None:
        with pytest.raises(ProgramError, match=f"cannot run {program}: others can write to "):
            find_program(str(program), "")
        with pytest.raises(ProgramError, match=f"{program} was not taken: "):
            find_program(program.name, str(program.parent))
        good = make_program(program.parents[1] / "good")
        path = f"{program.parent}:{good.parent}"
        assert find_program(program.name, path) == str(good)

    @pytest.mark.parametrize("mode", [0o757, 0o777])
    def test_a_program_that_all_can_write_is_refused(self, tmp_path: Path, mode: int) -> None:
        self.assert_refused(make_program(tmp_path / "bin", mode=mode))

    def test_a_program_in_a_directory_that_all_can_write_is_refused(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "bin")
        program.parent.chmod(0o777)
        self.assert_refused(program)

    def test_a_link_to_a_program_that_all_can_write_is_refused(self, tmp_path: Path) -> None:
        link = tmp_path / "bin" / "judge"
        link.parent.mkdir()
        link.symlink_to(make_program(tmp_path / "elsewhere", mode=0o777))
        self.assert_refused(link)

    def test_a_program_of_another_user_is_refused(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "bin")
        if os.geteuid() == 0:
            os.chown(program, 65534, -1)
            self.assert_refused(program)

    def test_a_program_that_another_group_can_write_is_refused(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "bin")
        if os.geteuid() == 0:
            os.chown(program, -1, 65534)
            program.chmod(0o775)
            self.assert_refused(program)

    def test_a_program_that_our_own_group_can_write_is_taken(self, tmp_path: Path) -> None:
        program = make_program(tmp_path, mode=0o775)
        assert find_program("judge", str(tmp_path)) == str(program)

    def test_nothing_is_searched_for_where_all_can_plant(self, tmp_path: Path) -> None:
        program = make_program(tmp_path / "bin")
        program.parent.chmod(0o1777)
        with pytest.raises(ProgramError, match="anybody can write to"):
            find_program("judge", str(program.parent))
        assert find_program(str(program), "") == str(program)
