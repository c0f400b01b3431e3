"""What pages are drawn with: graphs, axes, SVG, templates."""
