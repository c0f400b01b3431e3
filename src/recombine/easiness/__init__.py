"""How easy a test example is for those who know a training set, and why (`local_structures` paper, §4)."""
