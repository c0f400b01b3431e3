"""What keeps an image from being a distractor: nothing, names that overlap, or the truth graph as well."""

NONE, EXCLUSION, TRUTH = "none", "exclusion", "truth"
FILTERS = (NONE, EXCLUSION, TRUTH)
