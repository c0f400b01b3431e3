"""What programs and answers name in a knowledge base: entities, relations and classes."""
