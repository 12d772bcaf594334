"""The outside world, a folder for each port."""
