"""The device on which torch computes."""

import torch


def check_device(name: str) -> None:
    """Raise ValueError if torch cannot compute on the device of that name."""
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:  # built without it, or no such name
        raise ValueError(f"--device is {name!r}: {str(error).splitlines()[0]}") from None


def has_bfloat16(device: torch.device) -> bool:
    """Return True if the device multiplies bfloat16 matrices faster than float32 ones."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    able = torch.cpu.get_capabilities()
    return bool(able.get("amx_bf16") or able.get("avx512_bf16"))
