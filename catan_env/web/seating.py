"""A table with its links and lines, and a table that is still being prepared."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from catan_env.web.jobs import Job
from catan_env.web.messages import Judged, Over, Proposals
from catan_env.web.shown_table import ShownTable, Sight
from catan_env.web.turn_clock import TurnClock


@dataclass(eq=False)
class Seating:
    """A table, the seat of each secret, and its lines."""

    table: ShownTable
    secrets: Mapping[str, Sight]
    keep: Callable[[ShownTable], Over] | None = None
    """Stores the game when it has ended, and returns the paths."""
    study: Callable[[ShownTable], Judged] | None = None
    """Judges a stored game, which takes longer."""
    lines: dict[int, Sight] = field(default_factory=dict)
    due: float | None = None
    """When a policy acts, or the table is checked."""
    is_busy: bool = False
    """True while a policy is deciding, or the game is being stored."""
    over: Over | None = None
    judged: Judged | None = None
    """The judge's opinion of the game that has ended."""
    path: str = ""
    """The path of the replay, which identifies the table."""
    policies: tuple[str, ...] = ()
    """The policies' names by seat; a person's is the one that replaces them."""
    next_secrets: dict[Sight, str] = field(default_factory=dict)
    """The secrets of the rematch, by sight at this table."""
    clock: TurnClock | None = None
    """Limits the turns of people who have sat down; None if their time is unlimited."""
    seen: set[Sight] = field(default_factory=set)
    """The perspectives that have had a line."""
    pace: float | None = None
    """Seconds between a policy's steps; None for the room's."""
    again: float = 0.0
    """The table decides for a policy or a person again only then, after it could not."""
    stopped: str = ""
    """Why it could not, as the lines have received it."""
    store_at: float | None = None
    """When the game that has ended is stored again, after it could not be."""
    failures: set[str] = field(default_factory=set)
    """The failures of policies that the lines have received."""
    asking: set[int] = field(default_factory=set)
    """The seats whose request for advice has no answer yet."""
    proposals: Proposals = field(default_factory=lambda: Proposals([]))
    """The proposals that the lines have received."""
    to_load: list[tuple[str, Job]] = field(default_factory=list)
    """The parts that are loaded while the game is already shown, by name."""

    @property
    def is_left(self) -> bool:
        """True if the game is stored and the table has no line any more."""
        return self.over is not None and not self.lines

    @property
    def missing(self) -> list[str]:
        """The names of the parts that are not loaded yet."""
        return list(dict.fromkeys(name for name, _ in self.to_load))


@dataclass(eq=False)
class Expected:
    """A table that is being prepared: its secrets, and the lines that wait for it."""

    secrets: Collection[str]
    parts: list[str]
    invitation: str = ""
    """The link by which people who are missing may join."""
    lines: dict[int, str] = field(default_factory=dict)
    """The secret that each waiting line has sent."""
