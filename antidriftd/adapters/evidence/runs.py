"""A folder for each run: its receipts, which prove its state, and the texts that belong to it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from antidriftd import durable
from antidriftd.adapters.evidence.sealed import (
    decode,
    encode,
    make_folder,
    read_sealed,
    sealed_files,
    write_file,
    write_sealed,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.proposing import Proposal
from antidriftd.core.knowledge.runs import Receipt, Run, fold

FORGOTTEN = "(forgotten)"


class FileRuns:
    """Keeps runs below one folder; see `RunFiles`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read_all(self) -> Mapping[str, Run]:
        """Return where each run stands, oldest first."""
        found = [self._read(path.name) for path in sorted(self._folder.glob("r-*"))]
        known = [run for run in found if run is not None]
        return {run.run: run for run in sorted(known, key=lambda run: (run.began, run.run))}

    def add(self, receipt: Receipt) -> Run:
        """Write a receipt and the view that follows from it."""
        make_folder(self._folder / receipt.run)
        write_sealed(self._receipts(receipt.run), receipt)
        run = self._read(receipt.run)
        if run is None:
            raise CustodyError("E_INPUT", f"{receipt.run} has no receipts")
        self._view(run)
        return run

    def write_text(self, run: str, name: str, text: str) -> None:
        """Keep a text of a run."""
        write_file(self._folder / run / name, text.encode(errors="replace"))

    def read_text(self, run: str, name: str) -> str | None:
        """Return a text of a run."""
        path = self._folder / run / name
        return path.read_text(encoding="utf-8") if path.exists() else None

    def propose(self, proposal: Proposal) -> None:
        """Keep a proposal."""
        write_file(self._folder / proposal.run / "proposal.json", encode(proposal))

    def proposal(self, run: str) -> Proposal | None:
        """Return a run's proposal."""
        path = self._folder / run / "proposal.json"
        return decode(path.read_bytes(), Proposal, str(path)) if path.exists() else None

    def forget(self, inputs: Collection[str]) -> None:
        """Delete what runs keep of the words of inputs; which lines came of them stays known."""
        for run in self.read_all().values() if inputs else ():
            gone = set(inputs).intersection(run.claim.inputs)
            if gone:
                for path in sorted((self._folder / run.run).glob("*.txt")):
                    durable.remove(path)
                self._forget_reasons(run.run, tuple(f"{each[:8]}:" for each in gone))

    def _forget_reasons(self, run: str, prefixes: tuple[str, ...]) -> None:
        proposal = self.proposal(run)
        if proposal is None:
            return
        outcomes = tuple(
            replace(each, reason=FORGOTTEN, text=None)
            if each.candidate.startswith(prefixes)
            else each
            for each in proposal.outcomes
        )
        if outcomes != proposal.outcomes:
            self.propose(replace(proposal, outcomes=outcomes))

    def mend_views(self) -> None:
        """Write each run's view anew where it lags behind."""
        for run in self.read_all().values():
            self._view(run)

    def _view(self, run: Run) -> None:
        path, content = self._folder / run.run / "run.json", encode(run)
        if not path.exists() or path.read_bytes() != content:
            write_file(path, content)

    def _read(self, run: str) -> Run | None:
        """Return where a run stands; None if it was cut off before its first receipt."""
        receipts = [
            (path.stem, read_sealed(path, Receipt)[0]) for path in sealed_files(self._receipts(run))
        ]
        return fold(receipts) if receipts else None

    def _receipts(self, run: str) -> Path:
        return self._folder / run / "receipts"
