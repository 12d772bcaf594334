"""A harvest: has evidence judged once, holds the answer to the gates, and makes a proposal."""

from antidriftd.adapters.advisor.port import AdvisorError, EvidenceJudge
from antidriftd.adapters.custody.port import Reading
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.gates import check_outcomes, check_result, check_size
from antidriftd.core.knowledge.judging import JUDGMENT_VERSION, Matter, Outcome, named
from antidriftd.core.knowledge.model import Destination, Input
from antidriftd.core.knowledge.proposing import (
    Proposal,
    applied,
    content_hash,
    operations_for,
)
from antidriftd.core.knowledge.refs import parse_ref
from antidriftd.core.knowledge.runs import Claim, Receipt, Run, run_key
from antidriftd.core.knowledge.section import Section, parse_section
from antidriftd.runtime.learning.claiming import Picked
from antidriftd.runtime.learning.destinations import Confirmed, confirm
from antidriftd.runtime.learning.parts import Parts, in_thread
from antidriftd.runtime.learning.past import Past, past_of
from antidriftd.runtime.learning.receipts import move

PROMPT = "prompt.txt"


class Harvest:
    """Claims, judges and proposes; the caller is the only writer but while a program thinks."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def judge(self) -> EvidenceJudge:
        """Return the judge.

        Raises:
            CustodyError: `E_BACKEND`, there is none.
        """
        if self._parts.judge is None:
            message = (
                "nobody is there to weigh evidence: set ai.backend in config.toml to an AI program "
                "(claude, codex, gemini, llm, ollama, command) that is installed, and restart "
                "antidriftd"
            )
            raise CustodyError("E_BACKEND", message)
        return self._parts.judge

    async def claim(self, picked: Picked, after: str = "") -> Run:
        """Return a run that has taken on what was picked; the same request has the same run."""
        claim = Claim(
            inputs=picked.inputs,
            owner=picked.owner,
            destination=picked.destination,
            judge=f"{self.judge().name} {JUDGMENT_VERSION}",
            after=after,
        )
        baseline, commit = "", ""
        try:
            _, reading = await self._confirm(claim.owner, claim.destination)
            baseline, commit = content_hash(reading.content), reading.commit
        except CustodyError:
            pass  # it is held, with the reason, once it is to be judged
        run_id = run_key(claim, baseline)
        known = (await in_thread(self._parts.evidence.runs.read_all)).get(run_id)
        if known is not None:
            return known
        receipt = Receipt(
            run=run_id,
            seq=1,
            at=self._parts.now(),
            state="claimed",
            claim=claim,
            baseline=baseline,
            commit=commit,
        )
        return await in_thread(self._parts.evidence.runs.add, receipt)

    async def prepare(self, run: Run) -> tuple[Run, str]:
        """Return the run, ready to be judged, and the prompt; both are on disk.

        Raises:
            CustodyError: the destination can't be confirmed; the run is held.
        """
        try:
            self.judge()
            _, reading = await self._confirm(run.claim.owner, run.claim.destination)
            section = parse_section(reading.content)
            check_size(reading.content)
            matter = await self._matter(run, section)
        except CustodyError as error:
            await move(self._parts, run, "held", code=error.code)
            raise
        prompt = self.judge().text_for(matter)
        await in_thread(self._parts.evidence.runs.write_text, run.run, PROMPT, prompt)
        judging = await move(
            self._parts,
            run,
            "judging",
            attempt=run.attempt + 1,
            baseline=content_hash(reading.content),
            commit=reading.commit,
        )
        return judging, prompt

    async def ask(self, run: Run, prompt: str) -> str | None:
        """Return what the judge said; None if it failed, with the reason beside the run."""
        try:
            return await self.judge().ask(prompt)
        except AdvisorError as error:
            await self._keep_trouble(run, error)
            return None

    async def conclude(self, run: Run) -> Run:
        """Return the run with what its stored answer comes to; without one it has failed."""
        answer = await self.answer(run)
        if answer is None:
            return await move(self._parts, run, "failed", code="E_BACKEND")
        try:
            outcomes = self.judge().read(answer)
            _, reading = await self._confirm(run.claim.owner, run.claim.destination)
            if content_hash(reading.content) != run.baseline:
                return await move(self._parts, run, "stale", code="E_STALE")
            proposal = await self._proposal(run, outcomes, reading)
        except (AdvisorError, CustodyError) as error:
            await self._keep_trouble(run, error)
            code = error.code if isinstance(error, CustodyError) else "E_JUDGMENT"
            return await move(self._parts, run, "failed", code=code)
        await in_thread(self._parts.evidence.runs.propose, proposal)
        return await move(self._parts, run, "proposed" if proposal.operations else "no-change")

    async def answer(self, run: Run) -> str | None:
        """Return the answer of the run's newest attempt, if it came."""
        name = f"answer-{run.attempt}.txt"
        return await in_thread(self._parts.evidence.runs.read_text, run.run, name)

    async def keep_answer(self, run: Run, answer: str) -> None:
        """Keep an answer, before anything is made of it."""
        name = f"answer-{run.attempt}.txt"
        await in_thread(self._parts.evidence.runs.write_text, run.run, name, answer)

    async def _keep_trouble(self, run: Run, error: Exception) -> None:
        """Keep why an attempt failed in our own folder: what is told may quote the evidence."""
        name = f"error-{run.attempt}.txt"
        await in_thread(self._parts.evidence.runs.write_text, run.run, name, str(error))

    async def _proposal(
        self, run: Run, outcomes: tuple[Outcome, ...], reading: Reading
    ) -> Proposal:
        section = parse_section(reading.content)
        past = await in_thread(past_of, self._parts.evidence.runs, run.claim.destination, section)
        evidence = await self._evidence(run)
        check_outcomes(outcomes, named(evidence), section, past.retired)
        operations = operations_for(outcomes, section, past.lines, run=run.run, day=run.day)
        after = applied(section, operations, run.day) if operations else reading.content
        check_result(section, after)
        return Proposal(
            run=run.run,
            inputs=run.claim.inputs,
            before=reading.content,
            before_hash=content_hash(reading.content),
            after=after,
            after_hash=content_hash(after),
            operations=operations,
            outcomes=outcomes,
        )

    async def _matter(self, run: Run, section: Section) -> Matter:
        past: Past = await in_thread(
            past_of, self._parts.evidence.runs, run.claim.destination, section
        )
        lines = b"".join(section.lines).decode(errors="replace")
        outside = section.before + (section.after if section.has_marks else b"")
        return Matter(
            section=lines,
            profile=outside.decode(errors="replace"),
            reads=await self._reads(),
            retired=past.retired,
            evidence=await self._evidence(run),
        )

    async def _reads(self) -> tuple[str, ...]:
        """Return the texts of the nodes that are only consulted."""
        bindings = await self._parts.bound()
        texts = []
        for ref in bindings.reads:
            custody = self._parts.bases.custody(bindings.base_of(ref), ref.node)
            reading = await custody.read()
            check_size(reading.content)
            texts.append(reading.content.decode(errors="replace"))
        return tuple(texts)

    async def _evidence(self, run: Run) -> tuple[tuple[str, Input], ...]:
        inputs = await in_thread(self._parts.evidence.inputs.read_all)
        missing = [each[:8] for each in run.claim.inputs if each not in inputs]
        if missing:
            raise CustodyError("E_INPUT", f"inputs are gone: {', '.join(missing)}")
        return tuple((each, inputs[each][0]) for each in run.claim.inputs)

    async def _confirm(self, owner: str, destination: Destination) -> Confirmed:
        parse_ref(destination.ref)
        return await confirm(self._parts.bases, await self._parts.bound(), owner, destination)
