"""The `catan-env` command: one file per subcommand."""

from collections.abc import Sequence

from catan_env.cli.interrupt import leaving_at_interrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command (default: with this process's arguments); returns its exit status."""
    with leaving_at_interrupt(arguments is None):
        from catan_env.cli.command import main as run
    return run(arguments)
