"""The build hook of the wheel: `policies/` and `training/` are installed as parts of catan_env."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BesideThePackage(BuildHookInterface):
    """Puts the folders beside the package into a wheel; an editable install finds them itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both folders to a wheel that is not an editable install's."""
        if version != "editable":
            build_data["force_include"] |= {
                folder: f"catan_env/{folder}" for folder in ("policies", "training")
            }
