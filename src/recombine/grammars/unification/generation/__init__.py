"""Questions drawn from grammar rules, each with all that the rules make of it (CFQ paper, Appendix K)."""
