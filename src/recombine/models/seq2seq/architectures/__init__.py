"""The three architectures, each for K replicas at once, and the pieces they are made of."""
