"""The interface of the archived Hanabi Learning Environment, for code that was written for it.

from catan_env.guests.hanabi.hle import rl_env
environment = rl_env.make("Hanabi-Full", num_players=3)
"""
