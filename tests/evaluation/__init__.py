"""Tests of how judges are measured."""
