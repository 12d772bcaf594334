"""Presence: whether the screen is locked, and the machine about to sleep."""
