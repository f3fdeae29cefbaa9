"""The protocol of JSettlers2 servers: frames, messages, places."""
