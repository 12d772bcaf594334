"""How learning stands, as lines: what waits for the person, and what is wrong."""

from antidrift_cli.visible import cut
from protocol.views import State

_CODE_COLUMNS = 40


def learning_lines(state: State) -> list[str]:
    """Return what of learning wants attention; nothing while all is well."""
    seen = state.harvest
    if not seen:
        return []
    lines = []
    if seen.capture in {"blocked", "held"}:
        lines.append(f"capture: {seen.capture} ({cut(seen.code, _CODE_COLUMNS)})")
    waiting = [
        f"{count} {words}"
        for count, words in (
            (seen.proposed, "proposed"),
            (seen.judging, "being judged"),
            (seen.held, "waiting for you"),
        )
        if count
    ]
    if waiting:
        lines.append(f"harvests: {', '.join(waiting)}; see: antidrift harvest list")
    return lines
