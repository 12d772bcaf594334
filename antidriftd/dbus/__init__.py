"""Speaks D-Bus: one connection, one task, and nobody waited for without an end."""
