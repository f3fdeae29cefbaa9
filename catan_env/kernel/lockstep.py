"""The words between many games in lockstep and their callers, the same in every game."""

STAY = -1
"""Instead of an action: the game stays as it is."""
GOES_ON, ENDED, CUT_OFF, REFUSED = range(4)
"""The result of a step: still played, over by the rules, beyond the limit, an illegal action."""
