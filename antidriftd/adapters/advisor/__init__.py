"""The advisor: programs and built-in rules that judge a window."""
