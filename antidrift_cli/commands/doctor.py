"""The verb `doctor`: looks for what is missing, and says what helps."""

import os
from collections.abc import Iterator

import msgspec

from antidrift_cli.checks import diagnose
from antidrift_cli.declaring import verb
from antidrift_cli.errors import REFUSED
from antidrift_cli.output import say, say_json
from antidrift_cli.visible import cut
from protocol.views import Finding

_DETAIL_COLUMNS = 400
_NAME_COLUMNS = 20
_STATUS_WIDTH = len("warning")


@verb(
    examples=[
        "antidrift doctor",
        "antidrift doctor --json | jq -r '.findings[] | select(.status != \"ok\") | .remedy'",
    ],
)
def doctor(*, as_json: bool = False) -> int:
    """Look for what is missing, and say what helps.

    Each line is ok, a warning (Antidrift works, but could do more) or failed, and then says what to
    do. The exit code is 1 when something failed. It needs no daemon, but sees more with one.
    """
    diagnosis = diagnose(os.environ)
    if as_json:
        say_json(msgspec.json.encode(diagnosis))
    else:
        say(line for each in diagnosis.findings for line in _lines(each))
    return REFUSED if any(each.status == "failed" for each in diagnosis.findings) else 0


def _lines(finding: Finding) -> Iterator[str]:
    name, detail = cut(finding.name, _NAME_COLUMNS), cut(finding.detail, _DETAIL_COLUMNS)
    yield f"{finding.status:{_STATUS_WIDTH}}  {name}: {detail}"
    if finding.remedy:
        yield f"{'':{_STATUS_WIDTH}}  -> {cut(finding.remedy, _DETAIL_COLUMNS)}"
