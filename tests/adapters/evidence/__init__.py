"""The files of the evidence."""
