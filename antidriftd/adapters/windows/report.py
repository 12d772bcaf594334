"""How a sensor tells its sink what it sees, and whether it sees anything at all."""

from antidriftd.adapters.windows.port import WindowSink
from antidriftd.core.model import SensorHealth, Window


class SensorReport:
    """Speaks to a sink for one sensor; tells of its health only when that changes."""

    def __init__(
        self,
        sink: WindowSink,
        *,
        name: str,
        unavailable_name: str = "",
        takes_display: bool = False,
    ) -> None:
        """Speak to `sink` as `name`, or as `unavailable_name` while nothing can be seen.

        `takes_display` says whether an offered display would help then, but for Wayland.
        """
        self._takes_display = takes_display
        self._sink = sink
        self._name = name
        self._unavailable_name = unavailable_name or name
        self._told: SensorHealth | None = None
        self._told_no_input = False

    @property
    def ok(self) -> bool:
        """Whether windows can be seen, as told last."""
        return self._told is not None and self._told.ok

    def works(self, detail: str = "") -> None:
        """Tell that windows can be seen; `detail` is what a person should know all the same."""
        self._tell(SensorHealth(self._name, ok=True, detail=detail))

    def sees(self, window: Window | None) -> None:
        """Tell which window is in front."""
        self._sink.window_focused(window)

    def sees_input(self, idle_secs: float | None) -> None:
        """Tell how long ago input was; that it can't be seen is told once."""
        if idle_secs is not None or not self._told_no_input:
            self._sink.input_seen(idle_secs)
        self._told_no_input = idle_secs is None

    def fails(self, reason: str, *, is_wayland: bool = False) -> None:
        """Tell that no window can be seen, and why; nothing is in front from then on."""
        if self.ok:
            self._sink.window_focused(None)
        self._tell(
            SensorHealth(
                self._unavailable_name,
                ok=False,
                detail=reason,
                takes_display=self._takes_display and not is_wayland,
                is_wayland=is_wayland,
            )
        )

    def _tell(self, health: SensorHealth) -> None:
        if health != self._told:
            self._told = health
            self._sink.sensor_changed(health)
