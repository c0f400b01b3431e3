"""What a parser has to beat: answers from the same links and candidates without a network. Needs numpy alone."""
