"""Texts that a script hands over: refused, or kept exactly, and never in half."""

import json
import sys
import unicodedata
from pathlib import Path

import trio

from tests.clients import Refused
from tests.daemons import Daemon, open_daemon
from tests.faults.findings import Findings
from tests.faults.table import Fault, Tell, control

KEPT = (
    "x",
    "-x",
    "--help",
    "; rm -rf /",
    "$(touch x)",
    "%n %s %F{red}",
    "ü" * 512,
    "日" * 512,
    "👩‍👩‍👧‍👦" * 20,
    "نص عربي",
    '"quoted" \\ back',
)
REFUSED = (
    "a\0b",
    "a\nb",
    "\x1b[31m",
    "\x7f",
    "\x9b",
    "x" * 513,
    "日" * 513,
    "\ud800",
    "\u2028",
)


async def ask(daemon: Daemon, text: str) -> str | None:
    """Return the intent that is kept; None when it was refused, and nothing changed."""
    before = await daemon.request("state")
    async with daemon.connect() as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "plan", "params": {"intent": text}}
        await client.send(json.dumps(message).encode() + b"\n")
        answer = await client.receive()
    if "result" in answer:
        return str(answer["result"]["intent"])
    after = await daemon.request("state")
    assert (after["runtime"], after["revision"]) == (before["runtime"], before["revision"])
    return None


def look(found: Findings, how: str, text: str, kept: str | None) -> None:
    """Note what is kept of a text that was to be kept, or to be refused."""
    found.runs += 1
    wanted = unicodedata.normalize("NFC", text) if text in KEPT else None
    found.look(f"{how} {text[:20]!r}: {kept!r}"[:200], is_right=kept in {text, wanted})


async def test_a_text_is_kept_exactly_or_refused(tmp_path: Path, tell_fault: Tell) -> None:
    found = Findings()
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("plan", intent="before")
        for text in (*KEPT, *REFUSED):
            look(found, "socket", text, await ask(daemon, text))
        for text in (*KEPT, *(each for each in REFUSED if "\0" not in each)):
            look(found, "command", text, await by_command(daemon, text))
        try:
            await daemon.request("plan", intent="x" * 10_000_000)
            found.look("10 MB are taken", is_right=False)
        except Refused as refused:
            found.look(f"{refused.code}", is_right=refused.code == -32600)
        found.look_at_log(daemon.log, max_lines=20)
    caught = Findings()
    look(caught, "the control", KEPT[0], None)
    look(caught, "the control", REFUSED[0], REFUSED[0][:1])
    told = control(is_caught=len(caught.wrong) == 2)
    tell_fault(Fault("T13", "text from a script", found.runs, len(found.wrong), told))

    assert found.wrong == []
    assert told == "caught"


async def by_command(daemon: Daemon, text: str) -> str | None:
    """Return the intent that `antidrift plan` leaves; None when it refuses."""
    word = b"\xed\xa0\x80" if text == "\ud800" else text.encode()
    done = await trio.run_process(
        [sys.executable, "-m", "antidrift_cli", "plan", "--json", "--", word],
        env=dict(daemon.home.environ),
        capture_stdout=True,
        capture_stderr=True,
        check=False,
    )
    return str(json.loads(done.stdout)["intent"]) if done.returncode == 0 else None
