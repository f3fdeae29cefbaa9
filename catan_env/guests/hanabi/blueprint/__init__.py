"""The convention player `best` as compiled functions, and playouts with it."""
