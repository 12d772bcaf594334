"""Hooks: the user's own programs, run when something happens."""
