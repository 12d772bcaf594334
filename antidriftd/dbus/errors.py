"""Why a message bus, or a program on it, could not be used."""


class BusError(Exception):
    """No bus, or no useful answer; the message says why, in one line."""


class NoBus(BusError):
    """There is no bus, or none that takes and brings anything."""


class NoAnswer(BusError):
    """A program on the bus took too long."""


class BadReply(BusError):
    """An answer came, and it was an error or of the wrong shape."""


class NobodyThere(BadReply):
    """The bus answered that no program has the name that was called."""
