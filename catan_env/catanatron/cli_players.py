"""Our policies as players of catanatron's command line, `catanatron-play`, by the code OURS.

    catanatron-play --code=$(python -m catan_env.catanatron) --players=OURS:best,F --num=100

The part after the colon is a policy's name, `module:Class` or a weights file; greedy by default.
"""

from catan_env.catanatron.needed import needed_for

with needed_for("players of catanatron's command line"):
    from catanatron.cli import register_cli_player

from catan_env.catanatron.ours import OurPlayer

register_cli_player("OURS", OurPlayer)
