"""Exit codes besides 0, done, and 1, checked and found wanting. Importing this takes no time."""

BAD_INPUT = 2
INTERRUPTED, READER_GONE = 130, 141
"""What a shell gives for Ctrl-C and for a closed pipe."""
