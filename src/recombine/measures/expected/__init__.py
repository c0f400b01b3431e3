"""What a small model trained from scratch may be expected to get right on a split, by a panel of trained models."""
