"""A verdict that comes when its session is over: nothing changes in the next."""

from collections.abc import Sequence
from pathlib import Path

from tests.clients import State
from tests.daemons import PROGRAM
from tests.fakes.ai import wait_processes, write_program
from tests.faults.broken import broken_program
from tests.faults.folders import BROKEN, WHOLE, made
from tests.faults.table import Fault, Tell, control
from tests.faults.threats.test_judged import open_judged
from tests.waiting import wait_until

SESSIONS = 5

WAITS = """
import fcntl
about = "first" if "first task" in sys.stdin.read() else "second"
def wait_for(name):
    while not os.path.exists(f"{os.path.dirname(sys.argv[0])}/{name}"):
        time.sleep(0.01)
lives = open(sys.argv[0])
if about == "first":
    fcntl.flock(lives, fcntl.LOCK_SH)
    wait_for("answer")
else:
    open(f"{os.path.dirname(sys.argv[0])}/asked", "w")
    fcntl.flock(lives, fcntl.LOCK_EX)
    open(f"{os.path.dirname(sys.argv[0])}/alone", "w")
    wait_for("speak")
print(json.dumps({"on_task": False, "reason": f"about the {about}"}))
"""
"""Those of the first task wait until they may answer, that of the second until they are gone."""

TAKES_ANY = """
from dataclasses import replace
from antidriftd.core import judging
from antidriftd.core.state import Active
from antidriftd.runtime.effects import EffectRunner

answered = judging.answered
def take_any(state, event, now):
    question = state.phase.drift.question if isinstance(state.phase, Active) else None
    return answered(state, replace(event, request=question.id) if question else event, now)

judging.answered = take_any
EffectRunner._end = lambda self, request: None
"""
"""A daemon that ends no judge, and takes whatever verdict comes for the one it waits for."""


def reason(state: State) -> str:
    return str(state.get("drift", {}).get("reason", ""))


async def first_verdict(directory: Path, program: Sequence[str] = PROGRAM) -> str:
    """Return the first reason that is shown after sessions that ended while a judge thought."""
    judge = write_program(directory, WAITS)
    async with open_judged(directory, ["a page"], judge, program) as daemon:
        for _ in range(SESSIONS):
            await daemon.request("start", next_action="first task")
            await wait_processes(judge, present=True)
            await daemon.request("complete")
            await daemon.request("review")
        await daemon.request("start", next_action="second task")
        await wait_until((directory / "asked").exists)
        (directory / "answer").touch()
        await wait_until((directory / "alone").exists)
        if program is PROGRAM:
            (directory / "speak").touch()  # else only a late one can be shown
        return reason(await daemon.wait_state(lambda state: bool(reason(state))))


async def test_a_late_verdict_changes_nothing(tmp_path: Path, tell_fault: Tell) -> None:
    shown = await first_verdict(made(tmp_path, WHOLE))
    caught = await first_verdict(made(tmp_path, BROKEN), broken_program(TAKES_ANY))
    told = control(is_caught=caught == "about the first")
    is_wrong = shown != "about the second"
    tell_fault(Fault("T11", "late verdict", SESSIONS, int(is_wrong), told))

    assert not is_wrong
    assert told == "caught"
