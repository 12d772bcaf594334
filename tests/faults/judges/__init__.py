"""What AI programs do to the daemon: hang, flood, fail, and leave processes behind."""
