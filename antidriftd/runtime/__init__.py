"""The thin Trio shell around the core."""
