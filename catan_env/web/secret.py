"""The secret part of links."""

import secrets


def new_secret() -> str:
    """A secret for the link of a seat, impossible to guess."""
    return secrets.token_urlsafe(12)
