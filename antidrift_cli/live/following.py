"""The daemon followed in the background, and looked for again when it goes away."""

import math
import select
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

from antidrift_cli.client import Reply, open_client
from antidrift_cli.errors import CliError, OtherProtocol
from antidrift_cli.live.inbox import Inbox

News: TypeAlias = Reply | CliError | None
"""A State; why there is none just now; or None once nobody reads standard output."""

STANDARD_OUTPUT: Final = 1

_FIRST_DELAY_SECS: Final = 0.5
_LONGEST_DELAY_SECS: Final = 5.0


@contextmanager
def follow(environ: Mapping[str, str], tell: Callable[[News], None]) -> Iterator[None]:
    """Tell of each State, and of each failure to get one, until the context is left.

    In a thread: a daemon that hangs keeps nobody from reading keys, or from noticing that the
    reader of our output is gone.
    """
    left = threading.Event()
    threading.Thread(target=_follow, args=[dict(environ), tell, left], daemon=True).start()
    try:
        yield
    finally:
        left.set()


def _follow(
    environ: Mapping[str, str], tell: Callable[[News], None], left: threading.Event
) -> None:
    delay = _FIRST_DELAY_SECS
    try:
        while not left.is_set():
            try:
                with open_client(environ) as client:
                    for reply in client.watch():
                        tell(reply)
                        delay = _FIRST_DELAY_SECS
                return
            except CliError as error:
                tell(error)
            left.wait(delay)
            delay = min(2 * delay, _LONGEST_DELAY_SECS)
    finally:
        tell(None)


def read_news(
    environ: Mapping[str, str], due_secs: Callable[[], float | None]
) -> Iterator[Reply | CliError | None]:
    """Yield what `follow` tells, and None each time `due_secs` have passed without it.

    Ends at once when nobody reads standard output any more.

    Raises:
        OtherProtocol: the daemon can't understand us; another one won't either.
    """
    inbox: Inbox[News] = Inbox()
    try:
        with follow(environ, inbox.put):
            while is_read(ready := wait({inbox.fileno(): select.POLLIN}, due_secs())):
                news = inbox.take() if ready else None
                if ready and news is None:
                    return
                yield news
                if isinstance(news, OtherProtocol):
                    raise news
    finally:
        inbox.close()


def wait(descriptors: Mapping[int, int], secs: float | None) -> set[int]:
    """Return which of `descriptors` have what is asked for, after at most `secs`.

    Standard output is among them when it has no reader.
    """
    poll = select.poll()
    poll.register(STANDARD_OUTPUT, 0)  # nothing is asked for, but a closed pipe is always told
    for descriptor, events in descriptors.items():
        poll.register(descriptor, events)
    timeout = None if secs is None else math.ceil(max(0.0, secs) * 1000)
    return {descriptor for descriptor, _ in poll.poll(timeout)}


def is_read(ready: set[int]) -> bool:
    """Return whether somebody can still read standard output, after a `wait`."""
    return STANDARD_OUTPUT not in ready
