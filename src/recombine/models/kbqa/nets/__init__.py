"""The network of a parser of questions: encoders of words, and a decoder whose words are read from their texts."""
