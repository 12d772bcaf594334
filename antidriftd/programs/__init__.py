"""Runs other people's programs: found safely, bounded in time and output, never left behind."""
