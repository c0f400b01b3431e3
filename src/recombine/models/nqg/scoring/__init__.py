"""What scores derivations: the log-linear scorer and the neural one (NQG-T5 paper, §4.1.2)."""
