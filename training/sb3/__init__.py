"""Training with Stable-Baselines3's MaskablePPO, and export of its models to weights files."""
