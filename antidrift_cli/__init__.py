"""The `antidrift` command: a blocking client of the daemon's socket."""
