"""What is noticed of locks and sleep, on private buses."""
