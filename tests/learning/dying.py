"""A daemon that kills itself: `python -m tests.learning.dying EVENT PATTERN WHEN`.

An event is one of the interpreter's own (PEP 578): `open`, `os.rename`, `subprocess.Popen`, say. It
dies at the first one whose arguments match PATTERN, once a file that matches the glob WHEN has the
text after its `::` (an empty WHEN is always so). `half-write` is another event: the write to a file
of that name is cut in half.
"""

import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

from antidriftd.__main__ import main


def die_before(event: str, pattern: str, when: str) -> None:
    """Die as soon as the interpreter is about to do such a thing."""
    wanted, looking = re.compile(pattern), False

    def look(seen: str, arguments: tuple[Any, ...]) -> None:
        nonlocal looking
        if looking or seen != event or not wanted.search(repr(arguments)):
            return
        looking = True  # looking is itself an event
        if is_armed(when):
            os.kill(os.getpid(), signal.SIGKILL)
        looking = False

    sys.addaudithook(look)


def is_armed(when: str) -> bool:
    """Return whether the file is there, and holds the text."""
    pattern, _, text = when.partition("::")
    found = Path("/").glob(pattern.removeprefix("/")) if pattern else ()
    return not pattern or any(text in path.read_text() for path in found)


def tear(pattern: str) -> None:
    """Die in the middle of the first write of a note to a file whose path matches `pattern`."""
    wanted, write = re.compile(pattern), os.write

    def half(descriptor: int, data: bytes) -> int:
        path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        if wanted.search(path) and b'"kind":"note"' in bytes(data):
            write(descriptor, bytes(data)[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return write(descriptor, data)

    setattr(os, "write", half)  # noqa: B010  # an assignment is a type error: it isn't os.write


if __name__ == "__main__":
    kind, text, armed = sys.argv[1:4]
    del sys.argv[1:4]
    if kind == "half-write":
        tear(text)
    else:
        die_before(kind, text, armed)
    main()
