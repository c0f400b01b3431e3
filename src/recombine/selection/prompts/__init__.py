"""Prompts for a language model: a question, what is known of it, and examples to learn from."""
