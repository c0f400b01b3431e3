"""What verbs give whose data is made in parts: made when it is written or asked for."""
