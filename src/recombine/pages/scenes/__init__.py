"""The page on questions about scenes: pictures with boxes, the steps of programs, and twins side by side."""
