"""Whether two logical forms say the same: canonical forms, and the published decision."""
