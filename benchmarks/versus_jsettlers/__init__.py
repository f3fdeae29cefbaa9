"""Our policies against the built-in robots of a running JSettlers server."""
