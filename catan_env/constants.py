"""The rulebook's words as enumerations, for what stands on the rules."""

from catan_env.core.constants import (
    DevelopmentCard,
    Layout,
    Phase,
    Placement,
    Resource,
    Terrain,
)

__all__ = ["DevelopmentCard", "Layout", "Phase", "Placement", "Resource", "Terrain"]
