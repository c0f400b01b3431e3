"""Models that look: regions of pictures and a question about several of them, to an answer (COVR, 4).

Torch and numpy alone train them, so that a bare GPU machine does.
"""
