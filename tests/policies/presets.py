"""The names of all presets of rules."""

PRESETS = (
    "base",
    "tournament",
    "duel",
    "german_0.1",
    "german_0.2",
    "jsettlers",
    "colonist",
    "colonist_1v1",
    "small",
)
