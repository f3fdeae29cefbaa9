"""The `catan-env` command: one file a command."""

from catan_env.cli.command import main as main
