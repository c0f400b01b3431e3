"""From the words of a question to every way in which grammar rules make it."""
