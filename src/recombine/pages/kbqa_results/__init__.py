"""The page of a study of parsers over a knowledge base: Table 3, Figures 4 and 5, linking, errors, wrong answers."""
