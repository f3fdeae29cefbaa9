"""`python -m catan_env.catanatron`: the file for `catanatron-play --code`."""

from pathlib import Path

if __name__ == "__main__":
    print(Path(__file__).with_name("cli_players.py"))
