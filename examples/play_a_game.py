"""Play one game between policies and print its last turn."""

from catan_env import Game
from catan_env.policy import load_policy

game = Game(seats=3, seed=7)
policies = [load_policy(name, seed) for seed, name in enumerate(("builder", "random", "builder"))]
while not game.is_over:
    policy = policies[game.seat]
    game.play(policy.act(game.view(game.seat)))

print(game)
print("\nThe last turn:")
first = max(k for k, event in enumerate(game.events) if str(event.action) == "roll the dice")
for event in game.events[first:]:
    print(" ", event)
