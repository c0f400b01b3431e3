"""Questions over a knowledge base as numbers and texts, without a store. Needs numpy alone."""
