"""Sub-graphs of scenes: which there are under some limits, where they hold, and how they are said in English."""
