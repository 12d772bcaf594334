"""Planning: the coach, the profile that grounds it, and the task list."""
