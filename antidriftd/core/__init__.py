"""The pure core: decides everything, does nothing; no I/O, no clock, no await."""
