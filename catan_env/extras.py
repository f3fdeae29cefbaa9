"""What is said where a library that an extra brings is not installed."""


def missing(what: str, extra: str, error: ImportError) -> ImportError:
    """The error to raise: `what` needs what `error` could not import, which `extra` brings.

    >>> str(missing("drawing pixels", "render", ImportError(name="resvg_py")))
    "drawing pixels needs resvg_py: pip install 'catan-env[render]'"
    """
    library = (error.name or "a library").partition(".")[0]
    return ImportError(f"{what} needs {library}: pip install 'catan-env[{extra}]'", name=error.name)
