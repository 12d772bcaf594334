"""`python -m antidriftd.evaluate`: judges the cases of a file and says how well it went."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import trio

from antidriftd.adapters.advisor.port import AdvisorError, Assessment, Assessor, DriftJudge
from antidriftd.bootstrap import asked
from antidriftd.core.model import Commitment, Verdict, Window
from antidriftd.evaluation.cases import BadCases, Case, read_cases
from antidriftd.evaluation.history import own_cases
from antidriftd.evaluation.measures import Judged
from antidriftd.evaluation.report import as_json, case_as_json, table
from antidriftd.programs.errors import ProgramError
from antidriftd.settings.errors import BadSettings
from antidriftd.settings.keys import BACKENDS
from antidriftd.settings.loading import Flags, Settings, load_settings
from protocol.visible import visible

EXIT_FAILED = 1
EXIT_USAGE = 2
_VERDICTS = {True: "on_task", False: "drift", None: "unsure"}
_SCORES = {True: 0.0, False: 1.0, None: 0.5}
"""Of backends that give a verdict only."""


def main() -> NoReturn:
    """Evaluate and exit: 0 done, 1 the backend can't be used, 2 the file or the usage is wrong."""
    arguments = _parse(sys.argv[1:])
    try:
        sys.exit(_run(arguments))
    except BadCases as error:
        _fail(EXIT_USAGE, str(error))
    except (BadSettings, ProgramError) as error:
        _fail(EXIT_FAILED, str(error))


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="antidrift evaluate", allow_abbrev=False)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?")
    what.add_argument("--history", action="store_true")
    parser.add_argument("--backend", choices=[name for name in BACKENDS if name != "none"])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cases", action="store_true")
    return parser.parse_args(arguments)


def _run(arguments: argparse.Namespace) -> int:
    settings = load_settings(Flags(ai=arguments.backend or ""), os.environ)
    cases = _own(settings) if arguments.history else read_cases(arguments.file)
    judged = trio.run(_judge_all, settings, cases)
    if arguments.cases:
        lines = [case_as_json(each) for each in judged]
    elif arguments.json:
        lines = [as_json(judged, settings.ai_backend)]
    else:
        lines = [visible(line).encode() for line in table(judged, settings.ai_backend)]
    sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines))
    sys.stdout.buffer.flush()
    return 0


def _own(settings: Settings) -> Sequence[Case]:
    """Return the person's answers as cases; what is missing of them is said aside."""
    past = trio.run(asked.label_store(settings).read, -1)
    own = own_cases(past.labels)
    if own.remark:
        sys.stderr.write(f"{visible(own.remark)}\n")
    return own.cases


async def _judge_all(settings: Settings, cases: Sequence[Case]) -> list[Judged]:
    """Return every case judged, one question at a time."""
    async with asked.open_drift_judge(settings, os.environ) as judge:
        return [await judge_case(judge, case) for case in cases]


async def judge_case(judge: DriftJudge, case: Case) -> Judged:
    """Return the case as `judge` sees it; no usable answer counts as "can't tell"."""
    commitment, window = case.question()
    try:
        assessed = await _assess(judge, commitment, window)
    except AdvisorError as error:
        assessed = _as_sure(Verdict(None, f"no answer: {error}"))
    return Judged(
        id=case.id,
        label=case.label,
        verdict=_VERDICTS[assessed.on_task],
        score=assessed.score,
        reason=assessed.reason,
        kind=case.kind,
        lang=case.lang,
    )


async def _assess(judge: DriftJudge, commitment: Commitment, window: Window) -> Assessment:
    if isinstance(judge, Assessor):
        return (await judge.weigh(commitment, window))(0.0)
    return _as_sure(await judge.judge(commitment, window))


def _as_sure(verdict: Verdict) -> Assessment:
    return Assessment(_SCORES[verdict.on_task], verdict.on_task, verdict.reason)


def _fail(code: int, message: str) -> NoReturn:
    sys.stderr.write(f"antidrift evaluate: {visible(message)}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
