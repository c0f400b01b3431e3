"""SPARQL: as the CFQ data writes it (`sparql.py`, `variables.py`), and SPARQL 1.1 (`sparql11.py` and the rest)."""
