"""What all sources together say: the screen is locked while one of them says so."""

from antidriftd.adapters.presence.port import PresenceSink


class Sight:
    """Passes on what changes."""

    def __init__(self, sink: PresenceSink) -> None:
        """Begin with an open screen and a machine that is awake, and tell so."""
        self._sink = sink
        self._locked_by: set[str] = set()
        self._asleep = False
        sink.screen_locked(False)
        sink.machine_sleeps(False)

    def locked(self, source: str, locked: bool) -> None:
        """Take in whether a source says that the screen is locked."""
        before = bool(self._locked_by)
        if locked:
            self._locked_by.add(source)
        else:
            self._locked_by.discard(source)
        if bool(self._locked_by) is not before:
            self._sink.screen_locked(not before)

    def asleep(self, asleep: bool) -> None:
        """Take in whether the machine is about to sleep."""
        if asleep is not self._asleep:
            self._asleep = asleep
            self._sink.machine_sleeps(asleep)
