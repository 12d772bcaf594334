"""The systemd user service: its unit, the file it lies in, and what systemd makes of it."""
