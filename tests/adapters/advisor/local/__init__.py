"""Tests of the built-in advisor."""
