"""Sessions that are over: the daemon's history read, summed up, exported and merged."""
