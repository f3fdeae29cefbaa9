"""A task that runs beside others, and its end."""

import asyncio
from typing import Any


async def ended(task: "asyncio.Task[Any]") -> None:
    """Cancel a background task and wait for its end; raise its error if it had failed before."""
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
