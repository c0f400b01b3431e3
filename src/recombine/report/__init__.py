"""The report: what splits hold out, as one self-contained HTML file and as figures for a paper."""
