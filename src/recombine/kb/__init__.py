"""Knowledge bases: facts, and what a program answers over them."""
