"""Questions chosen from a pool: as many of each template, answers evened out, no scene on two sides; and what leaks."""
