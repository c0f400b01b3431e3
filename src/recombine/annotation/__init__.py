"""Work by people: tasks as data, a store of what was answered, and the rules of who is asked what, how often."""
