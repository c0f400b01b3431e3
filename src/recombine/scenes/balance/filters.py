"""What keeps an image from distracting: nothing, names that overlap, and a verifier or the truth graph as well."""

NONE, EXCLUSION, VERIFIER, TRUTH = "none", "exclusion", "verifier", "truth"
FILTERS = (NONE, EXCLUSION, VERIFIER, TRUTH)
