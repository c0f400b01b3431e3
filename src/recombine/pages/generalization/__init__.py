"""The page in the form of COVR's Tables 6 to 8: systems, set-ups and their generalization scores, and what fails."""
