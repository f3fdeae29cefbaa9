"""The foundation of every compiled game: compilation, memory, bits, random numbers and threads."""
