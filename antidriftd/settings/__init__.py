"""What flags, environment and config.toml say."""
