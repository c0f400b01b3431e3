"""What verbs give, where it is more than a few lines; and what all results have in common."""
