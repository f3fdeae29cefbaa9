"""The foundation of every compiled game: compiling, memory, bits, chance and threads; no game."""
