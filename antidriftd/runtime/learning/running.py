"""The runs: which may begin, go on or end, and the one place where they are judged."""

import logging
import math
from collections.abc import Awaitable, Callable, Iterable

import trio

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.refs import parse_ref
from antidriftd.core.knowledge.runs import Run
from antidriftd.runtime.learning.accepting import Acceptance
from antidriftd.runtime.learning.claiming import Picked, occupying, pick
from antidriftd.runtime.learning.destinations import resolve
from antidriftd.runtime.learning.harvesting import Harvest
from antidriftd.runtime.learning.parts import Parts, in_thread
from antidriftd.runtime.learning.receipts import move

_log = logging.getLogger(__name__)


class Runs:
    """Serves the verbs of `harvest`; a run is judged in the background."""

    def __init__(self, parts: Parts, harvest: Harvest, acceptance: Acceptance) -> None:
        self._parts = parts
        self._harvest = harvest
        self._acceptance = acceptance
        self._send, self._receive = trio.open_memory_channel[tuple[Run, str]](math.inf)
        self.thinking: set[str] = set()
        """The runs that are being judged right now."""

    async def judge_when_asked(self, tell: Callable[[], Awaitable[None]]) -> None:
        """Have runs judged, one after the other, for ever."""
        async for run, prompt in self._receive:
            try:
                answer = await self._harvest.ask(run, prompt)
                async with self._parts.writing():
                    if answer is not None:
                        await self._harvest.keep_answer(run, answer)
                    await self._harvest.conclude(run)
            except CustodyError as error:
                _log.warning("%s is not judged to the end: %s", run.run, error)
            finally:
                self.thinking.discard(run.run)
            await tell()

    async def recover(self) -> None:
        """Finish what a crash cut off, as far as the person has already decided it."""
        async with self._parts.writing():
            await in_thread(self._parts.evidence.inputs.bury)
            forgotten = await in_thread(self._parts.evidence.inputs.forgotten)
            await in_thread(self._parts.evidence.runs.forget, forgotten)
            await in_thread(self._parts.evidence.runs.mend_views)
            for run in (await self._all()).values():
                await self._recover(run)

    async def _recover(self, run: Run) -> None:
        try:
            if run.state == "publishing":
                await self._acceptance.settle(run, resumed=True)
            elif run.state == "judging" and await self._harvest.answer(run) is not None:
                await self._harvest.conclude(run)
        except CustodyError as error:
            _log.warning("%s stays as it is: %s", run.run, error)

    async def start(self, *, include_incomplete: bool) -> Run | None:
        """Return a run that is being judged from now on; None if there is nothing to harvest.

        Raises:
            CustodyError: it can't be begun, or is held.
        """
        self._harvest.judge()
        await self._parts.bound()
        if not self._parts.evidence.exists():
            return None
        async with self._parts.writing():
            runs = await self._all()
            picked = pick(
                await in_thread(self._parts.evidence.inputs.read_all),
                await in_thread(self._parts.evidence.inputs.destinations),
                runs.values(),
                include_incomplete=include_incomplete,
            )
            if picked is None:
                open_runs = [run for run in runs.values() if run.is_unfinished]
                return open_runs[-1] if open_runs else None
            run = await self._harvest.claim(picked)
            return await self._begin(run)

    async def _begin(self, run: Run) -> Run:
        run, prompt = await self._harvest.prepare(run)
        self.thinking.add(run.run)
        self._send.send_nowait((run, prompt))
        return run

    async def known(self, run_id: str) -> Run:
        """Return where a run stands.

        Raises:
            CustodyError: `E_INPUT`, there is no such run.
        """
        run = (await self._all()).get(run_id)
        if run is None:
            message = "there is no such run; `antidrift harvest list` shows them"
            raise CustodyError("E_INPUT", message)
        return run

    async def accept(self, run_id: str) -> Run:
        """Return the run with its proposal delivered; see `Acceptance.accept`."""
        run = await self.known(run_id)
        async with self._parts.writing():
            return await self._acceptance.accept(run)

    async def reject(self, run_id: str, reason: str) -> Run:
        """Return the run, closed; see `Acceptance.reject`."""
        run = await self.known(run_id)
        self._refuse_if_thinking(run)
        async with self._parts.writing():
            return await self._acceptance.reject(run, reason)

    async def retry(self, run_id: str) -> Run:
        """Return the run, going on where it stopped; what was answered isn't asked again.

        Raises:
            CustodyError: it can't go on, or is held again.
        """
        run = await self.known(run_id)
        self._refuse_if_thinking(run)
        async with self._parts.writing():
            proposal = await in_thread(self._parts.evidence.runs.proposal, run.run)
            if run.state == "failed" and proposal is not None and run.accepted_at:
                return await move(self._parts, run, "proposed")
            if run.state == "publishing":
                return await self._acceptance.settle(run, resumed=True)
            if run.state == "judging" and await self._harvest.answer(run) is not None:
                return await self._harvest.conclude(run)
            if run.state not in {"claimed", "judging", "failed", "held"}:
                message = f"{run.run} is {run.state}; there is nothing to try again"
                raise CustodyError("E_INPUT", message)
            return await self._begin(run)

    async def rejudge(self, run_id: str) -> Run:
        """Return a run in the place of a rejected, stale or failed one; asked twice, the same.

        Raises:
            CustodyError: the old run may still become something, or the new one is held.
        """
        old = await self.known(run_id)
        if old.linked:
            return await self.known(old.linked)
        if old.rebound or old.state not in {"rejected", "stale", "failed"}:
            message = f"{old.run} is {old.state}; only a rejected, stale or failed run is rejudged"
            raise CustodyError("E_INPUT", message)
        async with self._parts.writing():
            others = [run for run in (await self._all()).values() if run.run != old.run]
            busy = occupying(others, old.claim.destination)
            if busy is not None and busy.claim.after != old.run:
                message = f"{busy.run} is {busy.state}; finish it first"
                raise CustodyError("E_BUSY", message)
            claim = old.claim
            picked = Picked(claim.inputs, claim.owner, claim.destination)
            run = await self._harvest.claim(picked, after=old.run)
            await move(self._parts, old, "rejected", linked=run.run)
            return await self._begin(run)

    async def refresh(self) -> tuple[Run, ...]:
        """Return the runs that look otherwise than before.

        Raises:
            CustodyError: nothing can be seen.
        """
        if not self._parts.evidence.exists():
            return ()
        changed = []
        async with self._parts.writing():
            await in_thread(self._parts.evidence.runs.mend_views)
            for run in (await self._all()).values():
                if run.state in {"delivered", "uncertain", "publishing"}:
                    settled = await self._acceptance.settle(run, resumed=True)
                    changed += [settled] if settled.state != run.state else []
        return tuple(changed)

    async def rebind(self, target: str, ref: str) -> tuple[str, ...]:
        """Return the inputs that go elsewhere now; a run that had them is closed.

        Raises:
            CustodyError: there is no such input or run, or the new node can't be had.
        """
        bindings = await self._parts.bound()
        new = await resolve(self._parts.bases, bindings, parse_ref(ref))
        async with self._parts.writing():
            runs, now = await self._all(), self._parts.now()
            run = runs.get(target)
            if run is not None and run.state not in {"claimed", "held", "failed", "stale"}:
                message = f"{run.run} is {run.state}; its inputs can't go elsewhere"
                raise CustodyError("E_INPUT", message)
            inputs = run.claim.inputs if run else (await self._input(target),)
            if run is None:
                self._refuse_if_used(inputs, runs.values())
            for each in inputs:
                await in_thread(self._parts.evidence.inputs.rebind, each, new, now)
            if run is not None:
                await move(self._parts, run, "rejected", rebound=new)
        return inputs

    async def forget(self, input_id: str, session_id: str) -> tuple[str, ...]:
        """Return the ids of the inputs that are deleted: one, or all of a session.

        Raises:
            CustodyError: there are none, or an unfinished run uses one.
        """
        if not self._parts.evidence.exists():
            raise CustodyError("E_INPUT", "there is no evidence")
        async with self._parts.writing():
            inputs = await in_thread(self._parts.evidence.inputs.read_all)
            found = [name for name, (each, _) in inputs.items() if each.source.id == session_id]
            chosen = (await self._input(input_id),) if input_id else tuple(found)
            if not chosen:
                raise CustodyError("E_INPUT", "there is no evidence of that session")
            self._refuse_if_used(chosen, (await self._all()).values())
            for each in chosen:
                await in_thread(self._parts.evidence.inputs.forget, each, self._parts.now())
            await in_thread(self._parts.evidence.runs.forget, chosen)
        return chosen

    async def _input(self, prefix: str) -> str:
        """Return the one input whose id begins so."""
        inputs = await in_thread(self._parts.evidence.inputs.read_all)
        found = [each for each in inputs if each.startswith(prefix)]
        if len(prefix) < 4 or len(found) != 1:
            message = "no one input is called so; `antidrift knowledge status` names them"
            raise CustodyError("E_INPUT", message)
        return found[0]

    async def _all(self) -> dict[str, Run]:
        return dict(await in_thread(self._parts.evidence.runs.read_all))

    def _refuse_if_thinking(self, run: Run) -> None:
        if run.run in self.thinking:
            raise CustodyError("E_BUSY", f"{run.run} is being judged right now; wait for it")

    def _refuse_if_used(self, inputs: tuple[str, ...], runs: Iterable[Run]) -> None:
        for run in runs:
            is_open = run.is_unfinished or run.state == "delivered"
            if is_open and set(inputs) & set(run.claim.inputs):
                message = f"{run.run} is {run.state} and uses it; finish or reject it first"
                raise CustodyError("E_BUSY", message)
