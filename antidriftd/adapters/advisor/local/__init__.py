"""The built-in advisor: it judges and coaches from what it knows, and asks nobody."""
