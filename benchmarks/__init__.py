"""Speed comparison with other engines: `make bench`."""
