"""Registered matches at catanatron's table: four seats, no trade, each seat's own information.

`README.md` in this folder states, before the first game, the opponents, seeds, numbers of games
and statistics of every row; `rows.py` has them as data. Every finished game is kept.
"""
