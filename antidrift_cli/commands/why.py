"""The verb `why`: explains the last verdict, down to the text that was sent."""

import os
from typing import assert_never

from antidrift_cli.allowances import allowance_of
from antidrift_cli.client import open_client
from antidrift_cli.declaring import option, verb
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.render import window_text
from antidrift_cli.render_time import local_time
from antidrift_cli.visible import cut
from protocol.methods import WhyParams
from protocol.views import Why

_REASON_COLUMNS = 300
_BEGIN, _END = "-----begin of what was sent-----", "-----end of what was sent-----"


@verb(
    option(
        "--preview",
        is_flag=True,
        help="Print what would be sent about the window in front, and send nothing.",
    ),
    examples=["antidrift why", "antidrift why --preview", "antidrift why --json | jq -r .sent"],
)
def why(*, preview: bool = False, as_json: bool = False) -> None:
    """Explain the last verdict: who spoke, why, and exactly what was sent to whom."""
    with open_client(os.environ) as client:
        result, json = client.get("why", Why, WhyParams(preview=preview))
    if as_json:
        say_json(json)
    elif not preview:
        say([*_explained(result), *_sent(result)])
    elif result.sent:
        say(_lines(result.sent))
    else:
        why_not = result.reason or _nobody_to_send_to(result.backend)
        say_aside([f"nothing would be sent: {why_not}"])


def _explained(result: Why) -> list[str]:
    if result.rule == "none":
        return [result.reason or "nothing has been judged in this session yet"]
    lines = [f"window: {window_text(result.subject)}"] if result.subject else []
    lines += [f"verdict: {_verdict(result)}", f"because: {_origin(result)}"]
    if result.error:
        lines.append(f"error: {cut(result.error, _REASON_COLUMNS)}")
    return lines


def _verdict(result: Why) -> str:
    unknown = "none" if result.error else "none, as it can't be told"
    words = {True: "on task", False: "drifting", None: unknown}
    reason = f" ({cut(result.reason, _REASON_COLUMNS)})" if result.reason else ""
    at = f", at {local_time(result.at)}" if result.at else ""
    return f"{words[result.on_task]}{reason}{at}"


def _origin(result: Why) -> str:
    """Return which rule spoke, and who is behind it."""
    match result.rule:
        case "allowed":
            entry = allowance_of(result.allowance)
            return f"you allow {entry}" if entry else "you allow it"
        case "condemned":
            return "you answered `antidrift offtask` about it"
        case "cache":
            return f"an earlier verdict on the same page is remembered; {_judge(result)}"
        case "judge":
            return _judge(result)
        case "none" | "preview":
            return "no verdict was given"
        case _:
            assert_never(result.rule)


def _judge(result: Why) -> str:
    if not result.backend:
        return "who gave it is no longer known"
    took = result.took_secs or 0.0
    secs = f"{took:.1f} s" if took >= 0.1 else "less than 0.1 s"
    did = "failed" if result.error and result.on_task is None else "gave it"
    return f"the judge `{cut(result.backend, 40)}` {did}, after {secs}"


def _sent(result: Why) -> list[str]:
    if result.sent:
        return [f"sent to `{cut(result.backend, 40)}`:", _BEGIN, *_lines(result.sent), _END]
    if result.rule in ("cache", "judge") and not result.backend:
        return []
    return ["nothing was sent"]


def _nobody_to_send_to(backend: str) -> str:
    if backend == "none":
        return "there is no judge"
    return f"the judge `{cut(backend, 40)}` is built in"


def _lines(sent: str) -> list[str]:
    return sent.removesuffix("\n").split("\n")
