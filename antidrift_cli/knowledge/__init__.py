"""What the custody verbs show of the person's own files, read by the client itself."""
