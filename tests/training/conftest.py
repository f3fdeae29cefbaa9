"""Networks this small learn fastest on one thread, and need few compiled kernels."""

import contextlib
import os

# Before torch computes. In bfloat16 oneDNN compiles a kernel per shape and keeps 1,024,
# half a gigabyte by the end of these tests.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100")

with contextlib.suppress(ImportError):
    import torch

    torch.set_num_threads(1)
