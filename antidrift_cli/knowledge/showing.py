"""A run, a proposal or an entry as lines for a person, with the text itself."""

import difflib
from collections.abc import Iterator

from antidrift_cli.knowledge.reading import Archive, Operation, Proposal, Run
from antidrift_cli.visible import cut

_COLUMNS = 400


def run_line(run: Run) -> str:
    """Return a run in one line."""
    code = f" ({run.code})" if run.code else ""
    linked = f", taken over by {run.linked}" if run.linked else ""
    inputs = "1 input" if len(run.claim.inputs) == 1 else f"{len(run.claim.inputs)} inputs"
    what = f"{inputs}, {run.claim.destination.ref}"
    return f"{run.run}  {run.began}  {run.state}{code}  {what}{linked}"


def next_step(run: str, state: str) -> str:
    """Return what to type about a run that stopped before its end."""
    again = "rejudge" if state == "stale" else "retry"
    return f"antidrift harvest {again} {run}, or: reject {run} --reason WHY"


def run_lines(run: Run, proposal: Proposal | None, trouble: str) -> list[str]:
    """Return a run with its diff, each verdict with its reason, and what it would overwrite."""
    lines = [run_line(run)]
    if trouble:
        lines.append(f"it failed: {cut(trouble, _COLUMNS)}")
    if run.state in {"failed", "held", "stale"}:
        lines.append(next_step(run.run, run.state))
    if proposal is None:
        return lines
    lines += ["", *_verdicts(proposal), "", *_diff(proposal)]
    own = [each for each in proposal.operations if each.replaces_own_words]
    for operation in own:
        lines += ["", f"! replaces your own words: {cut(operation.replaced, _COLUMNS)}"]
    if run.state == "proposed":
        lines += ["", f"antidrift harvest accept {run.run}, or: reject {run.run} --reason WHY"]
    return lines


def _verdicts(proposal: Proposal) -> Iterator[str]:
    for outcome in proposal.outcomes:
        reason = cut(outcome.reason, _COLUMNS)
        yield f"{outcome.verdict} {outcome.candidate} ({outcome.code}): {reason}"


def _diff(proposal: Proposal) -> Iterator[str]:
    before, after = (
        content.decode(errors="replace").splitlines()
        for content in (proposal.before, proposal.after)
    )
    for line in difflib.unified_diff(before, after, "now", "proposed", lineterm="", n=2):
        yield cut(line, _COLUMNS)


def reasons(archive: Archive, entry: str) -> list[str]:
    """Return what is behind a learned line, revision by revision; nothing if no run knows it."""
    wanted = entry.partition(".")[0]
    lines: list[str] = []
    for run in archive.runs():
        proposal = archive.proposal(run.run)
        for operation in proposal.operations if proposal else ():
            if operation.id == wanted and proposal is not None:
                lines += _of_operation(archive, run, proposal, operation)
    return lines


def _of_operation(
    archive: Archive, run: Run, proposal: Proposal, operation: Operation
) -> Iterator[str]:
    mark = f"{operation.id}.{operation.revision}"
    yield f"{mark} {operation.verdict}d in {run.run}, {run.began}: {run.state}"
    yield f"  {cut(operation.line, _COLUMNS)}"
    for outcome in proposal.outcomes:
        if outcome.candidate == operation.candidate:
            yield f"  because: {cut(outcome.reason, _COLUMNS)} ({outcome.code})"
    found = archive.candidate(operation.candidate)
    if found is None:
        yield f"  evidence: {operation.candidate} (forgotten)"
        return
    input_id, packet, candidate = found
    claim = cut(candidate.claim, _COLUMNS)
    yield f"  evidence: {candidate.kind}, {candidate.certainty}, {candidate.at}: {claim}"
    label = f" ({cut(packet.source.label, 80)})" if packet.source.label else ""
    yield f"  from: input {input_id[:8]}, session {packet.source.id or 'none'}{label}"
