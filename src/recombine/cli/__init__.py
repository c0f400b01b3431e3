"""The command line: one file per verb, a thin layer over `recombine.workbench`."""
