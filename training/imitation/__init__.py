"""Imitation learning: a network is cloned from a teacher.

`python -m catan_env.training.imitation CONFIG.toml OUT.zip`
"""
