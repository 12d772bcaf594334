"""How much of a window's text is kept, in characters."""

MAX_TITLE_CHARS = 1024
MAX_CLASS_CHARS = 256
