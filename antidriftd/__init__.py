"""The Antidrift daemon: watches the window in front and says when it drifts from the plan."""
