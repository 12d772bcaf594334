"""Whole jobs with real processes."""
