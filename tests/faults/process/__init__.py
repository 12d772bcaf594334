"""What befalls the daemon's own process: signals, limits, a stuck loop, a slow disk."""
