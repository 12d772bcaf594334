"""Knowledge that learns: what sessions taught, weighed, and given to the person to accept."""
