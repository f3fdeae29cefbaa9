"""What stands in links."""

import secrets


def new_secret() -> str:
    """What stands in a link for a seat: nobody guesses it."""
    return secrets.token_urlsafe(12)
