"""What clocks do to a session: steps, sleep, stops and reboots."""
