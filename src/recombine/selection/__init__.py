"""Which examples to train on, or to show in a prompt."""
