"""Workers, their tokens, and the survey."""
