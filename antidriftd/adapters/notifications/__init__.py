"""Notifications: what reaches a person who looks at no terminal."""
