"""The relations and classes of Freebase that CFQ's rules ask for."""
