"""A page that shows games: replays of records, and live games of a server."""

from catan_env.guests.renaissance.watch.replay import replay_html

__all__ = ["replay_html"]
