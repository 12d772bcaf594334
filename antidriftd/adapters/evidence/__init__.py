"""Evidence and harvests as files: what sessions leave, and what was made of it."""
