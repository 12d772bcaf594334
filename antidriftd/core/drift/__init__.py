"""The drift pipeline: what a window means for the commitment."""
