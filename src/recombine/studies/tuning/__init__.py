"""What a model is tuned over, on which part of train, and how a choice follows from the runs."""
