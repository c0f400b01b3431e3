"""Work for people on questions: lines out, lines in."""
