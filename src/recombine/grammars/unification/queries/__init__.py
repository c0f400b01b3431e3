"""From a logical form to the text of a query."""
