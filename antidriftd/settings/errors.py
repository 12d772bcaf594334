"""Why there are no settings."""


class BadSettings(Exception):
    """The settings can't be used; the message is one line that names the place and the remedy."""
