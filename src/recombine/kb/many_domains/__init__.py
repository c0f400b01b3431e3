"""A made-up world of many domains: classes with sub-classes, nodes in the middle, reverses, numbers and dates."""
