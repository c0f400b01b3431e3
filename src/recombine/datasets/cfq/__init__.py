"""Questions as CFQ has them, made from rules and grounded on a knowledge base."""
