"""A text in a private file, edited in the person's own editor; what they wrote is not lost."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from antidrift_cli.errors import BadInput, Failed
from antidrift_cli.output import say_aside

_DEFAULT_EDITOR: Final = "vi"
_KEYS_OF_THE_EDITOR: Final = (signal.SIGINT, signal.SIGQUIT)


class Draft:
    """A file that its owner alone can read, in a folder with room for an editor's own files."""

    def __init__(self, text: str) -> None:
        self.folder: Final = Path(mkdtemp(prefix="antidrift-"))
        self.path: Final = self.folder / "contract.txt"
        self._given: Final = text.encode()
        self.path.touch(0o600)
        self.path.write_bytes(self._given)

    def edit(self) -> str:
        """Let the person edit the text, and return it.

        Raises:
            Failed: the editor can't be started or failed.
            BadInput: the text isn't UTF-8.
        """
        _run_editor(self.path, os.environ)
        try:
            return self._content().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInput("the text isn't UTF-8") from error

    def is_worth_keeping(self) -> bool:
        """Return whether the person wrote something."""
        return self._content().strip() not in (b"", self._given.strip())

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:  # that's one way to empty it
            return b""


@contextmanager
def open_draft(text: str) -> Iterator[Draft]:
    """Yield a draft that holds `text`; if it comes to nothing, what the person wrote is kept.

    Raises:
        Failed: there is no room for it.
    """
    try:
        draft = Draft(text)
    except OSError as error:
        raise Failed(f"no file to edit can be made ({error.strerror})") from error
    try:
        yield draft
    except BaseException:
        if draft.is_worth_keeping():
            say_aside([f"antidrift: what you wrote is kept in {draft.path}"])
        else:
            shutil.rmtree(draft.folder, ignore_errors=True)
        raise
    shutil.rmtree(draft.folder, ignore_errors=True)


def _run_editor(path: Path, environ: Mapping[str, str]) -> None:
    words = _editor(environ)
    with _left_to_the_editor():
        try:
            code = subprocess.run([*words, str(path)], check=False).returncode
        except OSError as error:
            raise Failed(
                f"the editor {words[0]} can't be started ({error.strerror}); "
                "name another one with VISUAL or EDITOR"
            ) from error
    if code:
        raise Failed(f"nothing was started: the editor {words[0]} ended with {code}")


def _editor(environ: Mapping[str, str]) -> list[str]:
    """Return the command that `environ` names, split as a shell splits words."""
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environ.get(name, ""))
        except ValueError as error:
            raise Failed(f"{name} can't be split into words: {error}") from error
        if words:
            return words
    return [_DEFAULT_EDITOR]


@contextmanager
def _left_to_the_editor() -> Iterator[None]:
    """Survive Ctrl-C and Ctrl-backslash, which reach us as well as the editor."""
    # Handlers, as an ignored signal would stay ignored in the editor (execve(2)).
    before = {each: signal.signal(each, lambda *_: None) for each in _KEYS_OF_THE_EDITOR}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
