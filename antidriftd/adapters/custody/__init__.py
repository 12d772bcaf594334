"""Custody: where learned knowledge lies, and how something proposed becomes part of it."""
