"""Processes that training starts."""

import os
from multiprocessing import parent_process
from threading import Thread


def end_with_parent() -> None:
    """Watch the process that started this one, and end when it is gone, however it ended."""
    Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
