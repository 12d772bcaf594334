"""What a hook gets on standard input."""

from protocol.views import Commitment, Drift, Evidence, Runtime, View, Window


class HookEvent(View, frozen=True, kw_only=True):
    """What a hook gets on standard input: what happened, and how things stood then."""

    event: str
    runtime: Runtime
    intent: str = ""
    commitment: Commitment | None = None
    window: Window | None = None
    drift: Drift | None = None
    evidence: Evidence | None = None
