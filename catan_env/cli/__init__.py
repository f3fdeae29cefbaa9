"""The `catan-env` command: one file per subcommand."""

from catan_env.cli.interrupt import LeavingAtInterrupt
from catan_env.cli.streams import open_closed_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the command (default: with this process's arguments); returns its exit status."""
    open_closed_streams()
    with LeavingAtInterrupt(arguments is None):
        from catan_env.cli.command import main as run
    return run(arguments)
