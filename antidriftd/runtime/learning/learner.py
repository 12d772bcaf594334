"""All of learning behind one door: it takes evidence in order, and serves the custody verbs."""

import logging
import math
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import trio

from antidriftd.core.custody_state import CustodyChanged, CustodyStatus
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import Source, instant
from antidriftd.core.knowledge.runs import Run
from antidriftd.core.knowledge.steps import EvidenceStep, SessionNoticed
from antidriftd.core.state import Active, Review, State
from antidriftd.runtime.learning.accepting import Acceptance
from antidriftd.runtime.learning.capturing import Capture, Kept, Note
from antidriftd.runtime.learning.harvesting import Harvest
from antidriftd.runtime.learning.looking import Looked, Place, locate, look, status
from antidriftd.runtime.learning.parts import Parts, in_thread
from antidriftd.runtime.learning.running import Runs

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Learner:
    """Learns, and tells how that stands; nothing that fails here stops a session."""

    def __init__(self, parts: Parts, *, data_dir: str, default_profile: str) -> None:
        """Take the ports, where the evidence lies, and the profile that is read by default."""
        self._parts = parts
        self._data_dir = data_dir
        self._default_profile = default_profile
        self._capture = Capture(parts)
        self._runs = Runs(parts, Harvest(parts), Acceptance(parts))
        self._send, self._receive = trio.open_memory_channel[EvidenceStep](math.inf)
        self._added = self._taken = 0
        self._progress = trio.Event()
        self._held = ""
        self._tell: Callable[[CustodyChanged], object] = _to_nobody

    def add(self, step: EvidenceStep) -> None:
        """Have a step kept when those before it are; returns at once."""
        self._added += 1
        self._send.send_nowait(step)

    async def run(self, tell: Callable[[CustodyChanged], object], state: State) -> None:
        """Take over what an earlier run of the daemon left, then keep what comes, for ever."""
        self._tell = tell
        await self._take_over(state)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._runs.judge_when_asked, self.refresh_status)
            async for step in self._receive:
                await self._take(step)
                self._taken += 1
                self._progress.set()
                self._progress = trio.Event()

    async def _catch_up(self) -> None:
        """Return once all that has happened until now is taken: a note comes after its session."""
        added = self._added
        while self._taken < added:
            await self._progress.wait()

    async def _take_over(self, state: State) -> None:
        running = state.phase.session.session_id if isinstance(state.phase, Active) else ""
        try:
            if self._parts.evidence.exists():
                await self._capture.adopt(running)
                await self._runs.recover()
        except CustodyError as error:
            self._held = error.code
            _log.warning("learning can't take over what is there: %s", error)
        try:
            await self._parts.bases.bindings()
        except CustodyError as error:
            _log.warning("nothing is learned: %s", error)
        await self.refresh_status()

    async def _take(self, step: EvidenceStep) -> None:
        was_held = self._held
        try:
            await self._capture.take(step)
            self._held = ""
        except CustodyError as error:
            self._held = error.code
            _log.warning("evidence is held: %s", error)
        except Exception:
            self._held = "E_INPUT"
            _log.exception("evidence is held")
        # What a session shows meanwhile changes no count.
        if self._held != was_held or not isinstance(step, SessionNoticed):
            await self.refresh_status()

    async def refresh_status(self) -> None:
        """Tell how learning stands now."""
        try:
            found = await status(self._parts, self._capture, self._runs.thinking)
        except CustodyError as error:
            found = CustodyStatus(bound=True, capture="held", code=error.code)
        if self._held:
            found = replace(found, bound=True, capture="held", code=self._held)
        self._tell(CustodyChanged(found))

    # --- verbs ------------------------------------------------------------------------------

    async def note(self, note: Note, state: State) -> Kept:
        """Keep what the person typed; see `Capture.note`."""
        await self._catch_up()
        running, last = None, ""
        match state.phase:
            case Active(session=session):
                running = Source(
                    id=session.session_id,
                    label=session.commitment.next_action,
                    started=instant(session.started + state.utc_offset),
                )
            case Review(session=session):
                last = session.session_id
            case _:
                last = await self._last_session()
        kept = await self._capture.note(note, running, last)
        await self.refresh_status()
        return kept

    async def _last_session(self) -> str:
        inputs = await in_thread(self._parts.evidence.inputs.read_all)
        sessions = [each.source.id for each, _ in inputs.values() if each.kind == "session"]
        return sessions[-1] if sessions else ""

    async def look(self, profile: str) -> Looked:
        """Return a full look; `profile` is the one that was chosen for this run."""
        return await look(self._parts, self._data_dir, profile, self._default_profile)

    async def where(self, profile: str) -> Place:
        """Return where the profile in force lies; `profile` is the one chosen for this run."""
        return await locate(self._parts, self._data_dir, profile or self._default_profile)

    async def start(self, *, include_incomplete: bool) -> Run | None:
        """Begin a harvest and return at once; None if there is nothing to harvest."""
        return await self._then_tell(self._runs.start(include_incomplete=include_incomplete))

    async def known(self, run_id: str) -> Run:
        """Return where a run stands."""
        return await self._runs.known(run_id)

    async def accept(self, run_id: str) -> Run:
        """Deliver a proposal."""
        return await self._then_tell(self._runs.accept(run_id))

    async def reject(self, run_id: str, reason: str) -> Run:
        """Close a run."""
        return await self._then_tell(self._runs.reject(run_id, reason))

    async def retry(self, run_id: str) -> Run:
        """Go on with a run that failed, was held or was cut off."""
        return await self._then_tell(self._runs.retry(run_id))

    async def rejudge(self, run_id: str) -> Run:
        """Begin a run in the place of another, on the node as it is now."""
        return await self._then_tell(self._runs.rejudge(run_id))

    async def refresh(self, state: State) -> tuple[Run, ...]:
        """Look at the world again; return the runs that it changed."""
        running = state.phase.session.session_id if isinstance(state.phase, Active) else ""
        if self._parts.evidence.exists():
            await self._capture.seal_ended(running)
        self._held = ""
        return await self._then_tell(self._runs.refresh())

    async def rebind(self, target: str, ref: str) -> tuple[str, ...]:
        """Send an input, or the inputs of a run, to another node; return their ids."""
        return await self._then_tell(self._runs.rebind(target, ref))

    async def forget(self, input_id: str, session_id: str) -> tuple[str, ...]:
        """Delete evidence for ever; return the ids of the inputs."""
        return await self._then_tell(self._runs.forget(input_id, session_id))

    async def _then_tell(self, work: Coroutine[Any, Any, _T]) -> _T:
        try:
            return await work
        finally:
            with trio.CancelScope(shield=True):
                await self.refresh_status()


def _to_nobody(event: CustodyChanged) -> None:
    del event
