"""The window in front: sensors that run as child processes."""
