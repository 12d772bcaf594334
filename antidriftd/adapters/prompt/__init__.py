"""The prompt file: one line of state that shells read for their prompts."""
