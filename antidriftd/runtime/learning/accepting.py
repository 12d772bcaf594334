"""What the person decided: delivers an accepted proposal, once, or closes a run."""

from antidriftd.adapters.custody.port import Custody, Order, Standing
from antidriftd.core.knowledge.errors import CustodyCode, CustodyError
from antidriftd.core.knowledge.gates import check_result
from antidriftd.core.knowledge.proposing import Proposal
from antidriftd.core.knowledge.runs import Run, RunState
from antidriftd.core.knowledge.section import parse_section
from antidriftd.runtime.learning.destinations import Confirmed, confirm
from antidriftd.runtime.learning.parts import Parts, in_thread
from antidriftd.runtime.learning.receipts import move

_DONE = ("applied", "delivered", "accepted")
_UNFIT: frozenset[CustodyCode] = frozenset({"E_PATH", "E_ACCESS", "E_GIT_CUSTODY", "E_TOO_LARGE"})


class Acceptance:
    """Publishes and settles; the caller is the only writer meanwhile."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def accept(self, run: Run) -> Run:
        """Deliver a proposal; one that was delivered before is left as it is.

        Raises:
            CustodyError: it isn't delivered, and why; the proposal is kept.
        """
        if run.state in _DONE:
            return run
        if run.state == "publishing":
            return await self.settle(run)
        if run.state != "proposed":
            message = f"{run.run} is {run.state}; only a proposal can be accepted"
            raise CustodyError("E_INPUT", message)
        proposal = await self._proposal(run)
        _, reading = await self._confirm(run)
        if reading.content != proposal.before:
            await move(self._parts, run, "stale", code="E_STALE")
            message = f"the node has changed; judge anew with: antidrift harvest rejudge {run.run}"
            raise CustodyError("E_STALE", message)
        check_result(parse_section(proposal.before), proposal.after)
        publishing = await move(self._parts, run, "publishing", commit=reading.commit)
        return await self.settle(publishing)

    async def settle(self, run: Run, *, resumed: bool = False) -> Run:
        """Return the run with what became of its publication, which is finished if it may be.

        A program behind a command is never given a text twice: `resumed` says that it may have
        had it already.

        Raises:
            CustodyError: nothing can be seen, or nothing was written.
        """
        custody, _ = await self._confirm(run)
        order = Order(proposal=await self._proposal(run), commit=run.commit, at=run.accepted_at)
        standing = await custody.check(order)
        if standing == "unpublished" and run.state == "publishing":
            if resumed and custody.kind == "command":
                return await move(
                    self._parts, run, "failed", code="E_UNCERTAIN", limits=custody.limits
                )
            standing = await self._publish(run, custody, order)
        return await self._record(run, custody, standing)

    async def _publish(self, run: Run, custody: Custody, order: Order) -> Standing:
        try:
            await custody.publish(order)
        except CustodyError as error:
            await move(self._parts, run, _after_refusal(custody, error), code=error.code)
            raise
        return await custody.check(order)

    async def _record(self, run: Run, custody: Custody, standing: Standing) -> Run:
        match standing:
            case "accepted":
                if run.state == "publishing":
                    run = await move(self._parts, run, "delivered")
                return await move(self._parts, run, "accepted")
            case "applied" | "stale" | "uncertain":
                if run.state == standing:
                    return run
                code = {"stale": "E_STALE", "uncertain": "E_UNCERTAIN"}.get(standing, "")
                return await move(self._parts, run, standing, code=code, limits=custody.limits)
            case "delivered":
                return (
                    run if run.state == "delivered" else await move(self._parts, run, "delivered")
                )
            case "unpublished":
                state: RunState = "rejected" if run.state == "delivered" else "failed"
                code = "" if state == "rejected" else "E_UNCERTAIN"
                return await move(self._parts, run, state, code=code, limits=custody.limits)

    async def reject(self, run: Run, reason: str) -> Run:
        """Close a run that isn't delivered.

        Raises:
            CustodyError: it can't be closed.
        """
        if run.state == "rejected":
            return run
        if run.state == "delivered":
            branch = f"antidrift/harvest/{run.run}"
            message = f"delete the branch {branch}, then: antidrift harvest refresh"
            raise CustodyError("E_BRANCH", message)
        return await move(self._parts, run, "rejected", reason=reason)

    async def _confirm(self, run: Run) -> Confirmed:
        bindings = await self._parts.bound()
        return await confirm(self._parts.bases, bindings, run.claim.owner, run.claim.destination)

    async def _proposal(self, run: Run) -> Proposal:
        proposal = await in_thread(self._parts.evidence.runs.proposal, run.run)
        if proposal is None:
            raise CustodyError("E_INPUT", f"{run.run} has no proposal")
        return proposal


def _after_refusal(custody: Custody, error: CustodyError) -> RunState:
    if error.code == "E_STALE":
        return "stale"
    if error.code == "E_UNCERTAIN":
        return "uncertain"
    is_kept = custody.kind == "directory" and error.code in _UNFIT
    return "proposed" if is_kept else "failed"
