"""Games that other programs wrote, verified step by step under our rules.

>>> from catan_env.foreign import FORMATS
>>> list(FORMATS)
['catanatron', 'colonist', 'jsettlers', 'stac']
"""

from catan_env.foreign.reading import FORMATS, ForeignError, ForeignGame, read_foreign

__all__ = ["FORMATS", "ForeignError", "ForeignGame", "read_foreign"]
