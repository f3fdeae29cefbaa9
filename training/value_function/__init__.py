"""The hand-made value function: its weights are tuned, its values calibrated to probabilities."""
