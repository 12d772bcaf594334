"""The methods of learning: what they are asked may hold text, what they answer never does."""

from collections.abc import Mapping

from antidriftd.core.knowledge.runs import Run
from antidriftd.rpc.handlers import Handler, taking, taking_nothing
from antidriftd.runtime.engine import Engine
from antidriftd.runtime.learning.capturing import Note
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.learning.looking import Looked, NodeSeen
from protocol import custody
from protocol import methods as shapes
from protocol.errors import RpcError


def handlers(engine: Engine, learner: Learner | None) -> Mapping[str, Handler]:
    """Return what serves each method of learning."""
    serve = _Served(engine, learner)
    return {
        "knowledge_where": taking_nothing(serve.where),
        "knowledge_status": taking_nothing(serve.status),
        "capture": taking(shapes.CaptureParams, serve.capture),
        "knowledge_forget": taking(shapes.ForgetParams, serve.forget),
        "harvest_start": taking(shapes.HarvestParams, serve.start),
        "harvest_run": taking(shapes.RunParams, serve.run),
        "harvest_accept": taking(shapes.RunParams, serve.accept),
        "harvest_reject": taking(shapes.RejectParams, serve.reject),
        "harvest_retry": taking(shapes.RunParams, serve.retry),
        "harvest_rejudge": taking(shapes.RunParams, serve.rejudge),
        "harvest_refresh": taking_nothing(serve.refresh),
        "harvest_rebind": taking(shapes.RebindParams, serve.rebind),
    }


class _Served:
    """Asks the learner, and shows what it answers."""

    def __init__(self, engine: Engine, learner: Learner | None) -> None:
        self._engine = engine
        self._given = learner

    @property
    def _learner(self) -> Learner:
        if self._given is None:
            message = "knowledge is turned off (knowledge.enabled in config.toml)"
            raise RpcError("unavailable", message)
        return self._given

    async def where(self) -> custody.Where:
        seen = await self._learner.where(self._engine.state.profile_path)
        return custody.Where(
            profile=seen.profile,
            code=seen.node.code,
            path=seen.node.path,
            print=seen.node.print,
            commit=seen.node.commit,
            bindings=seen.bindings,
            data_dir=seen.data_dir,
        )

    async def status(self) -> custody.Custody:
        return _custody(await self._learner.look(self._engine.state.profile_path))

    async def capture(self, params: shapes.CaptureParams) -> custody.Captured:
        note = Note(text=params.text, decision=params.decision, unsure=params.unsure)
        kept = await self._learner.note(note, self._engine.state)
        return custody.Captured(session=kept.session, input=kept.input)

    async def forget(self, params: shapes.ForgetParams) -> custody.Inputs:
        if bool(params.input) == bool(params.session):
            raise RpcError("invalid_value", "name an input or a session, not both")
        return custody.Inputs(inputs=await self._learner.forget(params.input, params.session))

    async def start(self, params: shapes.HarvestParams) -> custody.Run:
        run = await self._learner.start(include_incomplete=params.include_incomplete)
        return custody.Run() if run is None else _run(run)

    async def run(self, params: shapes.RunParams) -> custody.Run:
        return _run(await self._learner.known(params.run))

    async def accept(self, params: shapes.RunParams) -> custody.Run:
        return _run(await self._learner.accept(params.run))

    async def reject(self, params: shapes.RejectParams) -> custody.Run:
        return _run(await self._learner.reject(params.run, params.reason))

    async def retry(self, params: shapes.RunParams) -> custody.Run:
        return _run(await self._learner.retry(params.run))

    async def rejudge(self, params: shapes.RunParams) -> custody.Run:
        return _run(await self._learner.rejudge(params.run))

    async def refresh(self) -> custody.Runs:
        changed = await self._learner.refresh(self._engine.state)
        return custody.Runs(runs=tuple(map(_run, changed)))

    async def rebind(self, params: shapes.RebindParams) -> custody.Inputs:
        return custody.Inputs(inputs=await self._learner.rebind(params.target, params.to))


def _run(run: Run) -> custody.Run:
    return custody.Run(
        run=run.run,
        state=run.state,
        code=run.code,
        inputs=len(run.claim.inputs),
        attempt=run.attempt,
        linked=run.linked,
    )


def _custody(looked: Looked) -> custody.Custody:
    return custody.Custody(
        bindings=looked.bindings,
        data_dir=looked.data_dir,
        code=looked.code,
        owner=looked.owner,
        harvest=looked.harvest,
        capture=looked.capture,
        titles=looked.titles,
        nodes=tuple(map(_node, looked.nodes)),
        other_bases=looked.other_bases,
        runs=tuple(map(_run, looked.runs)),
        pending=looked.pending,
        grounds_coach=looked.grounds_coach,
    )


def _node(node: NodeSeen) -> custody.Node:
    return custody.Node(
        ref=node.ref,
        kind=node.kind,
        role=node.role,
        code=node.code,
        path=node.path,
        size=node.size,
        digest=node.digest,
        commit=node.commit,
        date=node.date,
    )
