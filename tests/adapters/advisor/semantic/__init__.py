"""The judge with the sentence model: all that can be tested without the model."""
