"""Text of files, servers and agents, made safe to print."""


def printable(text: str, most: int | None = None) -> str:
    r"""Return one line of text without control characters, of at most `most` characters.

    Escape sequences and marks that reverse the direction of writing would change what a terminal
    shows.

    >>> printable("\x1b[31mred"), printable("a\u202eb"), printable("a long name", 6)
    ('?[31mred', 'a?b', 'a long')
    """
    return "".join(sign if sign.isprintable() else "?" for sign in text[:most])
