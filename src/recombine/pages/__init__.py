"""Pages: numbers first, then one self-contained HTML file, and figures for a paper."""
