"""Play four random seats with the PettingZoo environment."""

import catan_env

env = catan_env.env()
env.reset(seed=7)
for seed, agent in enumerate(env.agents):
    env.action_space(agent).seed(seed)

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent}: {reward:+.2f} ({info['reason']})")
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(observation["action_mask"]))
