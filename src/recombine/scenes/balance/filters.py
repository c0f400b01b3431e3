"""What keeps an image from being a distractor: nothing, names that overlap, and a verifier or the truth graph as well."""

NONE, EXCLUSION, VERIFIER, TRUTH = "none", "exclusion", "verifier", "truth"
FILTERS = (NONE, EXCLUSION, VERIFIER, TRUTH)
