"""A server and a client of the German protocol, written only from its documentation."""
