"""Trains the built-in judge, and measures it on commitments that it was not trained on."""
