"""Deploy a policy as an agent on a tournament server, over the binary protocol."""

import os
import sys
from pathlib import Path

from catan_env import SeatView
from catan_env.cli import main


class Builder:
    """Builds the most expensive piece it can; otherwise plays any legal action, offers last."""

    def __init__(self, seed: int = 0) -> None:
        self.wishes = (*range(106, 160), *range(52, 106), 2, *range(160, 232))

    def act(self, view: SeatView) -> int:
        """A city, a settlement, a card, a road, or the first legal action."""
        mask = view.action_mask
        return next((index for index in self.wishes if mask[index]), int(mask.argmax()))


if __name__ == "__main__":
    os.chdir(Path(__file__).parent)  # so that the agent's process finds deploy_a_policy
    agent = f"{sys.executable} -m catan_env agent --policy"
    builder, rival = f"{agent} deploy_a_policy:Builder", f"{agent} random"
    main(["serve", "--agent", builder, "--agent", rival, "--games", "2", "--rotate"])
