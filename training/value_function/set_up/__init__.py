"""Learning where to settle in the set-up, for `catan_env.policies.set_up`."""
