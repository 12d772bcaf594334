"""Takes down what sessions show, as far as the person wants it, and seals it when they end."""

from dataclasses import dataclass, replace
from typing import assert_never

from antidriftd.core.errors import TransitionRefused
from antidriftd.core.knowledge.credentials import looks_secret
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.evidence import (
    GAP_FULL,
    GAP_RESTART,
    MAX_NOTE_BYTES,
    Header,
    Line,
    as_candidate,
    next_line,
    seal,
)
from antidriftd.core.knowledge.model import Candidate, Input, Source, instant
from antidriftd.core.knowledge.steps import (
    EvidenceStep,
    Noticed,
    SessionBegan,
    SessionNoticed,
    SessionOver,
    SessionReflected,
)
from antidriftd.runtime.learning.destinations import resolve
from antidriftd.runtime.learning.parts import Parts, in_thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the person typed, to be kept whatever is captured otherwise."""

    text: str
    decision: bool = False
    unsure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where a note went: to a session that runs, or to an input of its own."""

    session: str = ""
    input: str = ""


class Capture:
    """Keeps evidence; it never weighs it, and never asks an AI."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.blocked = ""
        """Why the running session's evidence has no destination: a code."""

    async def take(self, step: EvidenceStep) -> None:
        """Keep what a step shows.

        Raises:
            CustodyError: it can't be kept.
        """
        match step:
            case SessionBegan():
                await self._begin(step)
            case SessionNoticed(session_id=session_id, found=found):
                await self._add(session_id, found)
            case SessionOver(session_id=session_id, found=found, at=at):
                self.blocked = ""
                await self._end(session_id, found, at)
            case SessionReflected():
                await self._reflect(step)
            case _:
                assert_never(step)

    async def _begin(self, step: SessionBegan) -> None:
        self.blocked = ""
        try:
            bindings = await self._parts.bases.bindings()
            if bindings is None or bindings.capture == "off":
                return
            header = await self._header(_source(step.session_id, step.label, step.at))
            async with self._parts.writing():
                await in_thread(self._parts.evidence.live.begin, step.session_id, header)
        except CustodyError as error:
            self.blocked = error.code

    async def _header(self, source: Source, *, automatic: bool = True) -> Header:
        bindings = await self._parts.bound()
        destination = await resolve(self._parts.bases, bindings, bindings.harvest)
        return Header(
            source=source,
            owner=bindings.owner,
            destination=destination,
            titles=bindings.titles == "on",
            automatic=automatic,
        )

    async def _add(self, session_id: str, found: tuple[Noticed, ...]) -> None:
        if session_id not in await in_thread(self._parts.evidence.live.sessions):
            return
        async with self._parts.writing():
            await in_thread(self._append, session_id, found)

    def _append(self, session_id: str, found: tuple[Noticed, ...]) -> None:
        known = self._parts.evidence.live.read(session_id)
        if known is None or not known[0].automatic:
            return
        header, before = known
        lines = list(before)
        for seen in found:
            count = sum(line.candidate is not None for line in lines)
            candidate, gap = as_candidate(count, seen, titles=header.titles)
            line = next_line(candidate, lines) or Line(gap=GAP_FULL)
            lines += [line] if line.gap == "" or line not in lines else []
            lines += [Line(gap=gap)] if gap else []
        self._parts.evidence.live.append(session_id, lines[len(before) :])

    async def _end(self, session_id: str, found: tuple[Noticed, ...], at: float) -> None:
        evidence = self._parts.evidence
        if not evidence.exists() or await in_thread(evidence.live.read, session_id) is None:
            return
        await self._add(session_id, found)
        async with self._parts.writing():
            await in_thread(evidence.live.append, session_id, [Line(ended=instant(at))])
            await in_thread(self._seal, session_id)

    def _seal(self, session_id: str) -> None:
        """Make the input, have it on disk, and only then remove the live file."""
        known = self._parts.evidence.live.read(session_id)
        if known is not None:
            packet = seal(*known)
            if packet.candidates:
                self._parts.evidence.inputs.keep(packet)
            self._parts.evidence.live.remove(session_id)

    async def adopt(self, running: str) -> None:
        """Take over after a restart: go on with the running session, and seal the others."""
        sessions = await in_thread(self._parts.evidence.live.sessions)
        if not sessions:
            return
        async with self._parts.writing():
            for session_id in sessions:
                if session_id == running:
                    gap = [Line(gap=GAP_RESTART)]
                    await in_thread(self._parts.evidence.live.append, session_id, gap)
                else:
                    await in_thread(self._seal, session_id)

    async def seal_ended(self, running: str) -> None:
        """Try again to seal what could not be sealed."""
        for session_id in await in_thread(self._parts.evidence.live.sessions):
            if session_id != running:
                async with self._parts.writing():
                    await in_thread(self._seal, session_id)

    async def _reflect(self, step: SessionReflected) -> None:
        """Keep what was said of a session whose evidence is sealed, beside it."""
        evidence = self._parts.evidence
        bindings = await self._parts.bases.bindings()
        if bindings is None or bindings.capture == "off" or not evidence.exists():
            return
        inputs = await in_thread(evidence.inputs.read_all)
        of_session = [
            packet
            for packet, _ in inputs.values()
            if packet.source.id == step.session_id and packet.kind == "session"
        ]
        if not of_session:
            return
        sealed = of_session[-1]
        candidates = [as_candidate(n, each, titles=False) for n, each in enumerate(step.found)]
        packet = Input(
            kind="review",
            source=sealed.source,
            owner=sealed.owner,
            destination=sealed.destination,
            gaps=tuple(gap for _, gap in candidates if gap),
            candidates=tuple(candidate for candidate, _ in candidates),
        )
        async with self._parts.writing():
            await in_thread(evidence.inputs.keep, packet)

    # --- what the person types --------------------------------------------------------------

    async def note(self, note: Note, running: Source | None, last_session: str) -> Kept:
        """Keep what the person typed: with the running session, or else by itself.

        Raises:
            TransitionRefused: it is empty or too long.
            CustodyError: it has nowhere to go, or looks like a credential.
        """
        _check(note)
        source = running or Source(id=last_session)
        header = await self._header(source, automatic=False)
        seen = _as_typed(note, self._parts.now(), in_session=running is not None)
        async with self._parts.writing():
            if running is not None:
                await in_thread(self._add_note, header, seen)
                return Kept(session=running.id)
            now = self._parts.now()
            packet = Input(
                kind="note",
                source=replace(source, started=now, ended=now),
                owner=header.owner,
                destination=header.destination,
                candidates=(seen,),
            )
            return Kept(input=await in_thread(self._parts.evidence.inputs.keep, packet))

    def _add_note(self, header: Header, typed: Candidate) -> None:
        live, session_id = self._parts.evidence.live, header.source.id
        if live.read(session_id) is None:
            live.begin(session_id, header)
        known = live.read(session_id)
        lines = known[1] if known else ()
        count = sum(line.candidate is not None for line in lines)
        line = next_line(replace(typed, n=count), lines)
        if line is None or not live.append(session_id, [line]):
            message = "this session's evidence is full; complete it, then capture again"
            raise CustodyError("E_TOO_LARGE", message)


def _source(session_id: str, label: str, at: float) -> Source:
    safe = "(left out)" if looks_secret(label) else label
    return Source(id=session_id, label=safe, started=instant(at))


def _check(note: Note) -> None:
    if not note.text.strip():
        raise TransitionRefused("invalid_value", "there is nothing to capture: the text is empty")
    if len(note.text.encode(errors="replace")) > MAX_NOTE_BYTES:
        message = f"a note has at most {MAX_NOTE_BYTES} bytes; shorten it, it is not cut"
        raise TransitionRefused("invalid_value", message)
    if looks_secret(note.text):
        message = "it looks like a credential, so it is not kept; say it without that"
        raise CustodyError("E_EXCLUDED", message)


def _as_typed(note: Note, at: str, *, in_session: bool) -> Candidate:
    return Candidate(
        n=0,
        at=at,
        kind="decision" if note.decision else "note",
        claim=note.text.strip().encode(errors="replace").decode(),
        scope="standing" if note.decision or not in_session else "session",
        certainty="inferred" if note.unsure else "stated",
    )
