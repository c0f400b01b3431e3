"""Models that look: regions of up to five pictures and a question -> an answer (COVR, section 4).

What trains needs torch and numpy alone, besides `recombine.errors`, `recombine.files`, `recombine.options` and
`recombine.seeds`, so that it runs on a machine with a GPU and nothing else.
"""
