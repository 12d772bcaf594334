"""Measures a judge on windows whose label is known."""
