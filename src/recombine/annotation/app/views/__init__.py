"""The pages, one file a page: what it shows and what its form does."""
