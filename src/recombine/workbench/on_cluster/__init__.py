"""What verbs give that ran on a cluster: as without one, with ids and examples read when they are asked for."""
