"""A made-up world of films and of the people and companies behind them, in the schema of CFQ's rules."""
