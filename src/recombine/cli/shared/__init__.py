"""What verbs share: options, messages, tables."""
