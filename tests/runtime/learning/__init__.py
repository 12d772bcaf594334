"""Learning, without a daemon around it."""
