"""The built-in judge with a sentence model, for those who installed `antidriftd[semantic]`."""
