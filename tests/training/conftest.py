"""Networks this small learn fastest on one thread."""

import contextlib

with contextlib.suppress(ImportError):
    import torch

    torch.set_num_threads(1)
