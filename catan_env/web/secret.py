"""The secret part of links."""

import secrets


def new_link() -> str:
    """The secret part of a new link, impossible to guess."""
    return secrets.token_urlsafe(12)
