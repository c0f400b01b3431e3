"""The verbs, one file each, in the groups that `--help` shows."""
