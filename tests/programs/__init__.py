"""Running other people's programs."""
