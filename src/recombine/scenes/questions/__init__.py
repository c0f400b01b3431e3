"""Questions about pictures: templates filled with sub-graphs, and the sets of images they are asked of."""
