"""`python -m catan_env` is the `catan-env` command."""

from catan_env.cli import main

raise SystemExit(main())
