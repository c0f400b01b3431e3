"""Questions over a knowledge base, generated: how many of each kind, drawn from what a template gives; their files."""
