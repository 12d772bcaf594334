"""Asks the program with the sentence model: starts it when needed, and again after faults."""

import math
import sys
from array import array
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Protocol

import msgspec
import trio

from antidriftd.core.backoff import backoff_secs
from antidriftd.programs.environment import module_environ
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.process import Talk, open_program
from protocol.visible import one_line

Vector = tuple[float, ...]

START_SECS = 20.0
"""How long the first answer may take: the model is loaded for it."""
ANSWER_SECS = 3.0

FIRST_REST_SECS = 5.0

_LONGEST_REST_SECS = 300.0
_REMEMBERED = 512
_CHUNK_BYTES = 64 * 1024
_MAX_ANSWER_BYTES = 1024 * 1024
_MODULE = "antidriftd.adapters.advisor.semantic.program"


class EncoderError(Exception):
    """There are no vectors; the message is one line that says why."""


class Encoder(Protocol):
    """Turns texts into vectors of length 1: the nearer two are, the nearer is what they mean."""

    async def encode(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the vector of each text.

        Raises:
            EncoderError: there are none, now.
        """


def model_command() -> list[str]:
    """Return the command of our program with the sentence model."""
    return [sys.executable, "-P", "-m", _MODULE]


class ProgramEncoder:
    """Keeps one program running and asks it; after a fault it rests before it is started anew.

    Close it with `aclose`; should we be killed before, the program ends all the same.
    """

    def __init__(
        self,
        argv: Sequence[str],
        environ: Mapping[str, str],
        *,
        start_secs: float = START_SECS,
        answer_secs: float = ANSWER_SECS,
        rest_secs: float = FIRST_REST_SECS,
    ) -> None:
        """Take the program and our own environment, of which it gets what Python needs.

        After each fault it rests twice as long as before, at first `rest_secs`.
        """
        self._argv = argv
        self._environ = module_environ(environ)
        self._start_secs, self._answer_secs = start_secs, answer_secs
        self._turn = trio.Lock()
        self._running = AsyncExitStack()
        self._talk: Talk | None = None
        self._unread = b""
        self._first_rest_secs = rest_secs
        self._faults = 0
        self._rests_until = -math.inf
        self._known: dict[str, Vector] = {}

    async def encode(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the vector of each text; see `Encoder.encode`."""
        async with self._turn:
            if missing := [text for text in dict.fromkeys(texts) if text not in self._known]:
                vectors = await self._ask(missing)
                self._known.update(zip(missing, vectors, strict=True))
            found = [self._known.pop(text) for text in dict.fromkeys(texts)]
            # What was asked for last stays longest.
            self._known.update(zip(dict.fromkeys(texts), found, strict=True))
            while len(self._known) > max(_REMEMBERED, len(found)):
                del self._known[next(iter(self._known))]
            return [self._known[text] for text in texts]

    async def aclose(self) -> None:
        """End the program."""
        self._talk, self._unread = None, b""
        await self._running.aclose()

    async def _ask(self, texts: Sequence[str]) -> Sequence[Vector]:
        if trio.current_time() < self._rests_until:
            raise EncoderError("the program with the sentence model rests after a fault")
        answered = False
        limit_secs = self._answer_secs if self._talk else self._start_secs
        try:
            with trio.fail_after(limit_secs):
                vectors = await self._exchange(texts)
            answered = True
        except trio.TooSlowError as error:
            self._rest()
            raise EncoderError(f"it gave no answer in {limit_secs:g} s") from error
        except (ProgramError, EncoderError, ValueError, trio.BrokenResourceError) as error:
            self._rest()
            raise EncoderError(one_line(str(error)) or "it ended by itself") from error
        finally:
            if not answered:  # a cancelled question included: its answer would be taken for another
                await self.aclose()
        self._faults = 0
        return vectors

    def _rest(self) -> None:
        rest_secs = backoff_secs(
            self._faults, first_secs=self._first_rest_secs, longest_secs=_LONGEST_REST_SECS
        )
        self._rests_until = trio.current_time() + rest_secs
        self._faults += 1

    async def _exchange(self, texts: Sequence[str]) -> Sequence[Vector]:
        if self._talk is None:
            opened = open_program(self._argv, self._environ)
            self._talk = await self._running.enter_async_context(opened)
        await self._talk.stdin.send_all(msgspec.json.encode({"texts": texts}) + b"\n")
        answer = msgspec.json.decode(await self._line(self._talk.stdout), type=_Answer)
        if answer.error:
            raise EncoderError(answer.error)
        vectors = [_vector(encoded) for encoded in answer.vectors]
        if len(vectors) != len(texts):
            raise EncoderError("it answered another question")
        return vectors

    async def _line(self, stdout: trio.abc.ReceiveStream) -> bytes:
        while b"\n" not in self._unread:
            data = await stdout.receive_some(_CHUNK_BYTES)
            if not data:
                raise EncoderError("it ended by itself")
            if len(self._unread) > _MAX_ANSWER_BYTES:
                raise EncoderError("it printed too much")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line


class _Answer(msgspec.Struct, frozen=True):
    vectors: list[bytes] = []
    error: str = ""


def _vector(encoded: bytes) -> Vector:
    """Return the numbers of a vector; raises `ValueError` for what is none."""
    numbers = array("f", encoded)
    if sys.byteorder == "big":
        numbers.byteswap()
    if not numbers or not all(map(math.isfinite, numbers)):
        raise ValueError("it printed what is no vector")
    return tuple(numbers)
