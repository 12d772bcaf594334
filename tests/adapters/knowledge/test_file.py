"""The profile as a file: what is read of it, where it is looked for, and what never blocks."""

import os
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.knowledge.file import (
    MAX_PROFILE_BYTES,
    TRUNCATED,
    FileKnowledgeSource,
    file_knowledge_source,
)
from antidriftd.adapters.knowledge.port import KnowledgeError, KnowledgeSource
from antidriftd.core.model import Profile
from tests.adapters.stuck_disk import said_of, said_on_stuck_disk

TEXT = "I write books.\n\n- mornings are for chapters\n"
IMPORT = "from antidriftd.adapters.knowledge.file import FileKnowledgeSource"
MARK = "\N{BYTE ORDER MARK}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile.md"


def load_from(source: KnowledgeSource, path: str = "") -> Profile:
    async def within_a_limit() -> Profile:
        with trio.fail_after(30):
            return await source.load(path)

    return trio.run(within_a_limit)


def load(path: Path | str, *, home: str = "/no/such/home") -> Profile:
    return load_from(FileKnowledgeSource("/no/such/default", home=home), str(path))


def text_of(file: Path, data: bytes) -> str:
    file.write_bytes(data)
    profile = load(file)
    assert profile.path == str(file)
    return profile.text


def refusal(path: Path | str) -> KnowledgeError:
    with pytest.raises(KnowledgeError) as caught:
        load(path)
    return caught.value


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


class TestWhere:
    def test_a_file_that_is_there_gives_its_text_and_its_path(self, file: Path) -> None:
        file.write_text(TEXT)
        assert load(file) == Profile(TEXT, str(file))

    def test_a_missing_file_is_no_error_and_its_path_is_told(self, file: Path) -> None:
        assert load(file) == Profile("", str(file))

    def test_a_missing_directory_is_no_error_either(self, tmp_path: Path) -> None:
        path = tmp_path / "none" / "profile.md"
        assert load(path) == Profile("", str(path))

    def test_a_link_to_nowhere_is_missing(self, file: Path) -> None:
        file.symlink_to("nowhere.md")
        assert load(file) == Profile("", str(file))

    def test_a_link_is_followed_and_told_by_its_own_name(self, file: Path, tmp_path: Path) -> None:
        (tmp_path / "dotfiles.md").write_text(TEXT)
        file.symlink_to("dotfiles.md")
        assert load(file) == Profile(TEXT, str(file))

    def test_the_configured_path_counts_when_none_is_given(self, file: Path) -> None:
        file.write_text(TEXT)
        source = file_knowledge_source(str(file), {"HOME": "/no/such/home"})
        assert load_from(source) == Profile(TEXT, str(file))

    def test_a_path_that_is_given_beats_the_configured_one(
        self, file: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "configured.md").write_text("configured")
        file.write_text("given")
        source = file_knowledge_source(str(tmp_path / "configured.md"), {})
        assert load_from(source, str(file)) == Profile("given", str(file))
        assert load_from(source).text == "configured"

    def test_the_default_is_in_the_home_directory(self, tmp_path: Path) -> None:
        path = tmp_path / ".antidrift" / "knowledge.md"
        source = file_knowledge_source("", {"HOME": str(tmp_path)})
        assert load_from(source) == Profile("", str(path))
        path.parent.mkdir()
        path.write_text(TEXT)
        assert load_from(source) == Profile(TEXT, str(path))

    def test_a_tilde_is_the_home_directory(self, file: Path, tmp_path: Path) -> None:
        file.write_text(TEXT)
        assert load("~/profile.md", home=str(tmp_path)) == Profile(TEXT, str(file))
        assert (load("~", home=str(file))).text == TEXT

    def test_a_tilde_elsewhere_is_a_tilde(self, tmp_path: Path) -> None:
        path = tmp_path / "~" / "~profile"
        path.parent.mkdir()
        path.write_text(TEXT)
        assert load(path) == Profile(TEXT, str(path))

    def test_without_a_home_variable_the_user_database_tells(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("HOME", raising=False)
        path = Path.home() / "no-such-profile-of-antidrift"
        assert load(f"~/{path.name}", home="") == Profile("", str(path))

    def test_a_relative_path_is_told_as_an_absolute_one(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file.write_text(TEXT)
        monkeypatch.chdir(file.parent)
        assert load(file.name) == Profile(TEXT, str(file))

    def test_a_relative_path_in_a_directory_that_is_gone_is_one_clear_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        assert str(refusal("profile.md")).startswith("cannot read the profile profile.md: ")

    def test_the_file_is_opened_by_its_path_each_time(self, file: Path, tmp_path: Path) -> None:
        source = file_knowledge_source(str(file), {})
        for text in ("first", "second"):  # as an editor saves: a new file, renamed over the old
            (tmp_path / "new").write_text(text)
            (tmp_path / "new").rename(file)
            assert load_from(source).text == text
        file.unlink()
        assert load_from(source).text == ""


class TestText:
    @pytest.mark.parametrize("text", ["", " ", "\n\n\n", " \t\r\n\u2003\n", MARK, f"{MARK}\n"])
    def test_nothing_but_white_space_is_nothing(self, file: Path, text: str) -> None:
        assert text_of(file, text.encode()) == ""

    def test_the_text_is_left_as_it_is(self, file: Path) -> None:
        text = "\n  # Me\r\n\tümläut \N{PILE OF POO} \x1b[31m\0 end  \n\n"
        assert text_of(file, text.encode()) == text

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    def test_a_byte_order_mark_is_understood_and_left_out(self, file: Path, encoding: str) -> None:
        text = "Ich schreibe Bücher \N{BOOKS}\n"
        marked = MARK + text if encoding.endswith("e") else text
        assert text_of(file, marked.encode(encoding)) == text

    def test_what_is_no_utf_8_becomes_replacement_characters(self, file: Path) -> None:
        data = "Bücher für Läden".encode("latin-1")
        assert text_of(file, data) == "B\ufffdcher f\ufffdr L\ufffdden"

    def test_a_profile_of_exactly_the_cap_is_whole(self, file: Path) -> None:
        text = "x" * MAX_PROFILE_BYTES
        assert text_of(file, text.encode()) == text

    def test_one_byte_more_is_cut_and_marked(self, file: Path) -> None:
        text = "x" * MAX_PROFILE_BYTES
        assert text_of(file, text.encode() + b"y") == f"{text}\n…(truncated)"

    @pytest.mark.parametrize("shift", range(4))
    @pytest.mark.parametrize("char", ["é", "…", "\N{BOOKS}"])
    def test_the_cut_is_between_characters(self, file: Path, char: str, shift: int) -> None:
        text = "x" * shift + char * MAX_PROFILE_BYTES
        kept = (text_of(file, text.encode())).removesuffix(TRUNCATED)
        assert text.startswith(kept)
        assert MAX_PROFILE_BYTES - len(char.encode()) < len(kept.encode()) <= MAX_PROFILE_BYTES

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    @pytest.mark.parametrize("char", ["x", "é", "\N{BOOKS}"])
    def test_the_cap_counts_the_text_whatever_the_file_s_encoding(
        self, file: Path, encoding: str, char: str
    ) -> None:
        text = char * (MAX_PROFILE_BYTES // len(char.encode()))
        assert text_of(file, text.encode(encoding)) == text
        assert text_of(file, (text + char).encode(encoding)) == text + TRUNCATED

    def test_blank_up_to_the_cap_is_blank(self, file: Path) -> None:
        assert text_of(file, b"\n" * MAX_PROFILE_BYTES + TEXT.encode()) == ""

    @given(data=st.binary(max_size=200) | st.binary(min_size=6100, max_size=6300))
    def test_any_bytes_give_a_text_within_the_cap_that_can_be_encoded(
        self, tmp_path_factory: pytest.TempPathFactory, data: bytes
    ) -> None:
        file = tmp_path_factory.getbasetemp() / "any.md"
        file.write_bytes(data)
        text = load(file).text
        assert len(text.encode()) <= MAX_PROFILE_BYTES + len(TRUNCATED.encode())
        assert bool(text) == bool(text.strip())

    def test_of_a_huge_file_only_the_beginning_is_read(self, file: Path) -> None:
        file.write_text(TEXT)
        with file.open("r+b") as handle:
            handle.truncate(1 << 40)  # a terabyte of nothing, which takes no room
        text = load(file).text
        assert text.startswith(TEXT)
        assert text.endswith(TRUNCATED)

    def test_nothing_is_written(self, file: Path, tmp_path: Path) -> None:
        file.write_text(TEXT)
        file.chmod(0o400)
        before = file.stat()
        load(file)
        load(tmp_path / "none" / "profile.md")
        after = file.stat()
        assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)
        assert list(tmp_path.iterdir()) == [file]


class TestRefusals:
    def test_a_directory_is_refused(self, tmp_path: Path) -> None:
        before = descriptors()
        error = refusal(tmp_path)
        why = "it is not a regular file"
        assert str(error) == f"cannot read the profile {tmp_path}: {why}"
        assert error.path == str(tmp_path)
        assert descriptors() == before

    @pytest.mark.parametrize("path", ["/dev/zero", "/dev/ptmx", "/dev/null"])
    def test_a_device_is_refused_and_not_waited_for(self, path: str) -> None:
        assert "not a regular file" in str(refusal(path))

    def test_a_fifo_is_refused_and_not_waited_for(self, file: Path) -> None:
        os.mkfifo(file)
        assert "not a regular file" in str(refusal(file))

    def test_an_error_of_the_disk_is_told(self) -> None:
        # Address 0 of a process's memory can be opened, and reading it is an input/output error.
        assert str(refusal("/proc/self/mem")).endswith(": Input/output error")

    def test_a_file_where_a_directory_should_be_is_refused(self, file: Path) -> None:
        file.write_text(TEXT)
        assert str(refusal(file / "profile.md")).endswith(": Not a directory")

    def test_a_link_to_itself_is_refused(self, file: Path) -> None:
        file.symlink_to(file.name)
        assert str(refusal(file)).endswith("Too many levels of symbolic links")

    @pytest.mark.parametrize(
        "path", ["/a\0b", "/a\nb" * 2000, "/\ud800", "/" + "\udcff\x1b[2J" * 100]
    )
    def test_any_path_is_refused_in_one_line_that_can_be_shown(self, path: str) -> None:
        error = refusal(path)
        assert str(error).isprintable()
        assert error.path.encode()

    def test_a_name_that_is_no_text_is_read_and_told_as_well_as_can_be(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / os.fsdecode(b"ich-\xfc.md")
        path.write_text(TEXT)
        profile = load(path)
        assert profile == Profile(TEXT, str(tmp_path / "ich-\ufffd.md"))

    def test_a_file_without_permission_is_refused(self, file: Path) -> None:
        file.write_text(TEXT)
        file.chmod(0)
        nobody = "if os.geteuid() == 0: os.setresuid(65534, 65534, 65534)"
        said = said_of(f"{IMPORT}\n{nobody}", f"FileKnowledgeSource({str(file)!r}).load('')")
        why = "Permission denied"
        assert said == f"KnowledgeError: cannot read the profile {file}: {why}\n"

    def test_a_disk_that_does_not_answer_is_given_up_and_stops_nothing_else(
        self, file: Path
    ) -> None:
        file.write_text(TEXT)
        call = f"FileKnowledgeSource({str(file)!r}, timeout_secs=2).load('')"
        said = said_on_stuck_disk(file, IMPORT, call)
        why = "the disk gave no answer in 2 s"
        assert said == f"KnowledgeError: cannot read the profile {file}: {why}\n"
