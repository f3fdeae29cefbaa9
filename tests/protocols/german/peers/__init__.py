"""A server and a client of the German protocol, written from its page alone."""
