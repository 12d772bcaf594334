"""Recognises what looks like a credential. It is a net, not a promise."""

import re

_PATTERN = re.compile(
    r"""
    -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b                    # AWS
    | \bgh[pousr]_[A-Za-z0-9]{20,}                     # GitHub
    | \bgithub_pat_[A-Za-z0-9_]{20,}
    | \bglpat-[A-Za-z0-9_-]{16,}                       # GitLab
    | \bxox[abprs]-[A-Za-z0-9-]{10,}                   # Slack
    | \b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}             # OpenAI, Anthropic, Stripe
    | \bAIza[0-9A-Za-z_-]{30,}                         # Google
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.      # JSON Web Token
    | \bBearer\s+[A-Za-z0-9._~+/-]{12,}
    | [a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@          # a password in a URL
    | \b(?:password|passwd|passphrase|passwort|pwd|pin|secret|token|api[ _-]?key)
      \s*(?:is|ist|:|=)\s*\S+
    """,
    re.IGNORECASE | re.VERBOSE,
)


def looks_secret(text: str) -> bool:
    """Return whether `text` holds something that looks like a credential."""
    return _PATTERN.search(text) is not None
