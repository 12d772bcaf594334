"""What the daemon and its clients agree on; does no I/O and reads no clock."""
