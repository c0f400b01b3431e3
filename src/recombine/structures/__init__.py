"""What an example is made of: atoms and compounds, interned to integers and kept as sparse rows."""
