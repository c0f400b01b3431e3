"""Training K replicas together."""
