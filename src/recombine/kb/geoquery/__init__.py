"""GeoQuery's facts, the world they make, and what a FunQL program answers in it."""
