"""Whether two logical forms say the same: canonical forms under an ontology, and the decision of the published program."""
