"""The rules of a campaign: who gets which item, what counts, what is decided, and what that brings about."""
