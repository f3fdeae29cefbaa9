"""TorchRL: a rollout in the PettingZoo environment, one group per seat, with action masks."""

import warnings

import catan_env
from catan_env.extras import imported_for

with imported_for(__file__, "torchrl"):
    from torchrl.envs import PettingZooWrapper

warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested")

environment = PettingZooWrapper(catan_env.env(seats=3), use_mask=True, seed=7)
rollout = environment.rollout(50)

for seat in range(3):
    group = rollout[f"player_{seat}"]
    legal = group["action_mask"].gather(-1, group["action"].unsqueeze(-1))[group["mask"]]
    print(
        f"player_{seat}: {int(group['mask'].sum())} decisions, all legal: {bool(legal.all())}, "
        f"observation {tuple(group['observation', 'observation'].shape)}"
    )
