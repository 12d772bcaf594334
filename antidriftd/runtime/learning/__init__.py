"""Learning: capture while sessions run, harvest when the person asks, custody when they accept."""
