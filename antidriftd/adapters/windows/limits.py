"""How much is taken of what a window or a display says."""

MAX_TITLE_CHARS = 1024
MAX_CLASS_CHARS = 256

MAX_IDLE_SECS = 2**32 / 1000
"""X11 counts idle time in 32 bits of milliseconds (scrnsaverproto, ScreenSaverQueryInfo)."""
