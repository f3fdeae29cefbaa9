"""Expert iteration: a network learns what search finds.

`python -m catan_env.training.expert_iteration CONFIG.toml FOLDER`
"""
