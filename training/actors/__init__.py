"""Actors: where the games of a run are played, here or in other processes or machines."""

from catan_env.training.actors.actor_pool import ActorPool
from catan_env.training.actors.local_actor import LocalActor
from catan_env.training.actors.remote_actors import RemoteActors
from catan_env.training.actors.rollout_actor import Played, RolloutActor, part_of

__all__ = [
    "ActorPool",
    "LocalActor",
    "Played",
    "RemoteActors",
    "RolloutActor",
    "part_of",
]
