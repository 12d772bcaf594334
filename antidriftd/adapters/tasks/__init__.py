"""Task lists: what the person meant to do today."""
